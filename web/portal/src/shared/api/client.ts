/** The portal's API client and its sign-outs. */
import { createApi, createSignOuts } from '@vitrine/api';
import { session } from './session.ts';

const endSession = () => session.clear();
let signedOut: () => void = endSession;

/** Sets the handler for a session that cannot be refreshed; returns a function that removes it. */
export function onSignedOut(handler: () => void): () => void {
  signedOut = handler;
  return () => {
    if (signedOut === handler) signedOut = endSession;
  };
}

/** Ends sessions locally and at the server. */
export const signOuts = createSignOuts({ session, app: 'portal' });

/** The client every call of the portal uses. */
export const api = createApi({ session, onSignedOut: () => signedOut(), beforeSignIn: signOuts.deliver });
