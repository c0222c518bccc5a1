/** The signed-in state of this browser: one local-storage entry, shared by all tabs. */
import { subjectOf } from './token.ts';

interface Stored {
  accessToken: string;
}

/** Where a change of the session came from: this tab, or another one of this browser. */
export type Origin = 'here' | 'elsewhere';

/** Holds the access token; the refresh token is a cookie no script can read. */
export interface SessionStore {
  token(): string | null;
  /** Whose session it is; null when nobody is signed in, or the token does not say. */
  person(): string | null;
  save(accessToken: string): void;
  clear(): void;
  /** Calls back after each change, also of another tab; returns the way to stop. */
  subscribe(listener: (origin: Origin) => void): () => void;
}

/** Keeps the session under `key` of local storage. */
export function createSessionStore(key: string, storage: Storage = localStorage): SessionStore {
  const listeners = new Set<(origin: Origin) => void>();
  const tell = (origin: Origin) => {
    for (const listener of listeners) listener(origin);
  };
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) tell('elsewhere');
  });
  const token = () => read(storage.getItem(key));
  return {
    token,
    person() {
      const current = token();
      return current === null ? null : subjectOf(current);
    },
    save(accessToken) {
      storage.setItem(key, JSON.stringify({ accessToken } satisfies Stored));
      tell('here');
    },
    clear() {
      storage.removeItem(key);
      tell('here');
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function read(text: string | null): string | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('accessToken' in value)) return null;
    return typeof value.accessToken === 'string' && value.accessToken !== '' ? value.accessToken : null;
  } catch {
    return null;
  }
}
