/** The session of this browser, and an estimate of the server's clock. */
import { createSessionStore, type SessionStore } from '@vitrine/api';
import { useSyncExternalStore } from 'react';
import { storage } from './lib/storage.ts';
import { claimsOf } from './lib/token.ts';

const store = createSessionStore('vitrine.viewer.session');

/** Smaller differences are network latency, not a wrong clock. */
const TOLERATED_MS = 2000;

/** The app's session; each new token also calibrates the clock. */
export const session: SessionStore = {
  ...store,
  save(accessToken) {
    learnClock(accessToken);
    store.save(accessToken);
  },
};

/** Returns whether a person is signed in; rerenders when that changes, in any tab. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.token() !== null);
}

/** Returns the signed-in person, or null. */
export function signedInPerson(): string | null {
  const token = session.token();
  return token === null ? null : claimsOf(token).subject;
}

/** Returns the server's time in epoch milliseconds, for beats: the local clock may be wrong. */
export function serverNow(): number {
  const offset = Number(storage.get('clock') ?? 0);
  return Date.now() + (Number.isFinite(offset) ? offset : 0);
}

function learnClock(accessToken: string): void {
  const { issuedAt } = claimsOf(accessToken);
  if (issuedAt === null) return;
  const off = issuedAt - serverNow();
  if (Math.abs(off) > TOLERATED_MS) storage.set('clock', String(issuedAt - Date.now()));
}
