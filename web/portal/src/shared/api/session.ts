/** The access token of this browser, in its own storage entry. */
import { createSessionStore } from '@vitrine/api';
import { useSyncExternalStore } from 'react';

/** The portal's session. */
export const session = createSessionStore('vitrine.session');

/** Returns whether a person is signed in; rerenders when that changes, in any tab. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.token() !== null);
}
