/** The viewer app's client of the API: a session that cannot be refreshed is cleared, and the router's guard acts. */
import { createApi, createSignOuts } from '@vitrine/api';
import { session } from './session.ts';

/** Ends sessions here and at the server. */
export const signOuts = createSignOuts({ session, app: 'viewer' });

/** All calls of the app go through this. */
export const api = createApi({
  session,
  app: 'viewer',
  onSignedOut: () => session.clear(),
  beforeSignIn: signOuts.deliver,
});
