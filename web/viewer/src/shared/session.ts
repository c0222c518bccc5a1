/** The session of this browser. */
import { createSessionStore } from '@vitrine/api';
import { useSyncExternalStore } from 'react';

/** The app's session. */
export const session = createSessionStore('vitrine.viewer.session');

/** Returns whether a person is signed in; rerenders when that changes, in any tab. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.token() !== null);
}
