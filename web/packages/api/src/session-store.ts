/** The session of this browser: one local-storage entry, shared by all tabs. */
import { IdentityNotReady } from './problem.ts';
import { subjectOf } from './token.ts';

interface Stored {
  accessToken: string;
}

/** Where a session change came from: this tab or another one. */
export type Origin = 'here' | 'elsewhere';

/** Holds the access token; the refresh token is an HttpOnly cookie. */
export interface SessionStore {
  token(): string | null;
  /** The signed-in person; null if signed out or the token does not say. */
  person(): string | null;
  /**
   * Returns a signal that aborts when the current session ends, by signing out or because another person signs in.
   * Renewing the token does not abort it, and without a session it never aborts. Work that outlives its screen takes the
   * signal at the start and passes it to every call, so that it never acts as the next person.
   */
  scope(): AbortSignal;
  /** Stores a new token; throws `IdentityNotReady` if the browser blocks storage. */
  save(accessToken: string): void;
  clear(): void;
  /** Calls back after each change in any tab; returns an unsubscribe function. */
  subscribe(listener: (origin: Origin) => void): () => void;
}

/** Creates a store under `key` in local storage. If the browser blocks storage, the person is never signed in. */
export function createSessionStore(key: string, storage: Storage | null = ownStorage()): SessionStore {
  const listeners = new Set<(origin: Origin) => void>();
  const token = () => read(storage?.getItem(key) ?? null);
  const owner = () => ownerOf(token());
  let open = { owner: owner(), stop: new AbortController() };
  const endIfChanged = () => {
    const now = owner();
    if (now === open.owner) return;
    const { owner: before, stop } = open;
    open = { owner: now, stop: new AbortController() };
    if (before !== null) stop.abort(new DOMException('The session has ended.', 'AbortError'));
  };
  const notify = (origin: Origin) => {
    endIfChanged();
    for (const listener of listeners) listener(origin);
  };
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) notify('elsewhere');
  });
  return {
    token,
    person() {
      const current = token();
      return current === null ? null : subjectOf(current);
    },
    scope() {
      // Another tab's change reaches storage before its event reaches this tab.
      endIfChanged();
      return open.stop.signal;
    },
    save(accessToken) {
      if (storage === null) throw new IdentityNotReady();
      storage.setItem(key, JSON.stringify({ accessToken } satisfies Stored));
      notify('here');
    },
    clear() {
      storage?.removeItem(key);
      notify('here');
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns local storage, or null if the browser blocks it: then even accessing it throws. */
export function ownStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Identifies the session's owner; null if signed out. Tokens without a subject count as one person's. */
function ownerOf(token: string | null): string | null {
  return token === null ? null : (subjectOf(token) ?? '');
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
