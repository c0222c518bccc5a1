/** The signed-in person of this browser, and the server's clock as far as it is known here. */
import { createSessionStore, type SessionStore } from '@vitrine/api';
import { useSyncExternalStore } from 'react';
import { storage } from './lib/storage.ts';
import { claimsOf } from './lib/token.ts';

const store = createSessionStore('vitrine.viewer.session');

/** Differences smaller than this are the way of the answer, not a wrong clock. */
const TOLERATED_MS = 2000;

/** The one session of the app: a fresh token also tells the server's time. */
export const session: SessionStore = {
  ...store,
  save(accessToken) {
    learnClock(accessToken);
    store.save(accessToken);
  },
};

/** Whether somebody is signed in; renders again when that changes, also in another tab. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(session.subscribe, () => session.token() !== null);
}

/** Who is signed in; null when nobody is. */
export function signedInPerson(): string | null {
  const token = session.token();
  return token === null ? null : claimsOf(token).subject;
}

/** The server's time in epoch milliseconds: beats carry it, and a wrong clock here must not spoil them. */
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
