/** The portal's client of the API. */
import { createApi } from '@vitrine/api';
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

/** All calls of the portal go through this. */
export const api = createApi({ session, onSignedOut: () => signedOut() });
