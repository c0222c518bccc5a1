/** The access token of this browser, under an entry of its own. */
import { createSessionStore } from '@vitrine/api';
import { useSyncExternalStore } from 'react';

/** The one session of the portal. */
export const session = createSessionStore('vitrine.session');

/** Whether somebody is signed in; renders again when that changes, also in another tab. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.token() !== null);
}
