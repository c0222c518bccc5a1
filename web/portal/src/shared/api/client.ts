/** The portal's client of the API, and its log-outs. */
import { createApi, createSignOuts } from '@vitrine/api';
import { session } from './session.ts';

const endSession = () => session.clear();
let signedOut: () => void = endSession;

/** Tells what to do once a session cannot be refreshed; answers the way to stop. */
export function onSignedOut(handler: () => void): () => void {
  signedOut = handler;
  return () => {
    if (signedOut === handler) signedOut = endSession;
  };
}

/** Ends sessions here and at the server. */
export const signOuts = createSignOuts({ session, app: 'portal' });

/** All calls of the portal go through this. */
export const api = createApi({ session, onSignedOut: () => signedOut(), beforeSignIn: signOuts.deliver });
