/** The viewer app's API client. It clears a session that cannot be refreshed; the route guard then redirects. */
import { createApi, createSignOuts } from '@vitrine/api';
import { session } from './session.ts';

/** Ends sessions locally and at the server. */
export const signOuts = createSignOuts({ session, app: 'viewer' });

/** The client every call of the app uses. */
export const api = createApi({
  session,
  app: 'viewer',
  onSignedOut: () => session.clear(),
  beforeSignIn: signOuts.deliver,
});
