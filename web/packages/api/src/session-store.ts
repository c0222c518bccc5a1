/** The signed-in state of this browser: one local-storage entry, shared by all tabs. */

interface Stored {
  accessToken: string;
}

/** Holds the access token; the refresh token is a cookie no script can read. */
export interface SessionStore {
  token(): string | null;
  save(accessToken: string): void;
  clear(): void;
  /** Calls back after each change, also of another tab; returns the way to stop. */
  subscribe(listener: () => void): () => void;
}

/** Keeps the session under `key` of local storage. */
export function createSessionStore(key: string, storage: Storage = localStorage): SessionStore {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) tell();
  });
  return {
    token: () => read(storage.getItem(key)),
    save(accessToken) {
      storage.setItem(key, JSON.stringify({ accessToken } satisfies Stored));
      tell();
    },
    clear() {
      storage.removeItem(key);
      tell();
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
