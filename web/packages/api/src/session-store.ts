/** The signed-in state of this browser: one local-storage entry, shared by all tabs. */
import { IdentityNotReady } from './problem.ts';
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
  /**
   * Aborts when the session that is open now ends: by signing out, or because another person signed in. A renewed
   * token of the same person ends nothing, and without a session it never aborts. Work that outlives its screen takes
   * it when it begins, passes it to every call, and so never acts as the next person.
   */
  scope(): AbortSignal;
  /** Keeps a new token; throws `IdentityNotReady` where the browser keeps nothing. */
  save(accessToken: string): void;
  clear(): void;
  /** Calls back after each change, also of another tab; returns the way to stop. */
  subscribe(listener: (origin: Origin) => void): () => void;
}

/** Keeps the session under `key` of local storage. Where the browser refuses that, nobody is signed in. */
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
  const tell = (origin: Origin) => {
    endIfChanged();
    for (const listener of listeners) listener(origin);
  };
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) tell('elsewhere');
  });
  return {
    token,
    person() {
      const current = token();
      return current === null ? null : subjectOf(current);
    },
    scope() {
      // Another tab's change is in the storage before this one hears of it.
      endIfChanged();
      return open.stop.signal;
    },
    save(accessToken) {
      if (storage === null) throw new IdentityNotReady();
      storage.setItem(key, JSON.stringify({ accessToken } satisfies Stored));
      tell('here');
    },
    clear() {
      storage?.removeItem(key);
      tell('here');
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Local storage; null where the browser blocks it (cookies switched off), which throws at the mere mention. */
export function ownStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Null for nobody; tokens that do not say whose they are count as one person's. */
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
