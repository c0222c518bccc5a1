/** The portal's client of the API. */
import { createApi } from '@vitrine/api';
import { session } from './session.ts';

let signedOut: () => void = () => session.clear();

/** Tells what to do once a session cannot be refreshed; set once by the application. */
export function onSignedOut(handler: () => void): void {
  signedOut = handler;
}

/** All calls of the portal go through this. */
export const api = createApi({ session, onSignedOut: () => signedOut() });
