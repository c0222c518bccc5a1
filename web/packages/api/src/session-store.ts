/** The session of this browser: one local-storage entry, shared by all tabs. */
import { IdentityNotReady } from './problem.ts';
import { claimsOf } from './token.ts';

interface StoredToken {
  accessToken: string;
  /** How far the server's clock was ahead of this browser's when the token was issued, in milliseconds. */
  ahead?: number | undefined;
}

/** Smaller differences are network latency, not another time. */
const TOLERATED_MS = 2000;

/** Where a session change came from: this tab or another one. */
export type Origin = 'here' | 'elsewhere';

/** Holds the access token; the refresh token is an HttpOnly cookie. */
export interface SessionStore {
  token(): string | null;
  /** The signed-in person; null if signed out or the token does not say. */
  person(): string | null;
  /**
   * Converts a time of this browser, by default the present, to the server's time: the browser's clock may be wrong, and
   * that of a sandbox can be moved. Estimated from the newest token; in epoch milliseconds.
   */
  now(local?: number): number;
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
  const stored = () => read(storage?.getItem(key) ?? null);
  const token = () => stored()?.accessToken ?? null;
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
      return current === null ? null : claimsOf(current).subject;
    },
    now: (local = Date.now()) => local + (stored()?.ahead ?? 0),
    scope() {
      // Another tab's change reaches storage before its event reaches this tab.
      endIfChanged();
      return open.stop.signal;
    },
    save(accessToken) {
      if (storage === null) throw new IdentityNotReady();
      storage.setItem(key, JSON.stringify({ accessToken, ahead: aheadOf(accessToken) } satisfies StoredToken));
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
  return token === null ? null : (claimsOf(token).subject ?? '');
}

/** Returns how far the server is ahead, given a token it has just issued; undefined if that is negligible. */
function aheadOf(token: string): number | undefined {
  const ahead = (claimsOf(token).issuedAt ?? Date.now()) - Date.now();
  return Math.abs(ahead) > TOLERATED_MS ? ahead : undefined;
}

function read(text: string | null): StoredToken | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { accessToken, ahead } = value as { accessToken?: unknown; ahead?: unknown };
    if (typeof accessToken !== 'string' || accessToken === '') return null;
    return { accessToken, ahead: typeof ahead === 'number' ? ahead : undefined };
  } catch {
    return null;
  }
}
