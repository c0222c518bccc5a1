/** Signing out: locally at once, and at the server as soon as it can be reached. */
import { fetchWithin, oneTabAtATime } from './limits.ts';
import { ownStorage, type SessionStore } from './session-store.ts';

interface SignOutOptions {
  session: SessionStore;
  app: 'portal' | 'viewer';
  baseUrl?: string;
  storage?: Storage | null;
}

/** The sign-outs of one app. */
export interface SignOuts {
  /** Ends the local session immediately; resolves to whether the server was reached. */
  signOut(): Promise<boolean>;
  /**
   * Delivers pending sign-outs to the server; resolves to whether all were delivered. Never rejects and never takes
   * long. Sign-in awaits it, so that a late sign-out cannot remove the next person's cookie.
   */
  deliver(): Promise<boolean>;
  /** Delivers sign-outs left by earlier pages, and retries while this page is open; returns a function that stops it. */
  start(): () => void;
}

/** Longest wait for delivery. */
const PATIENCE_MS = 5_000;
/** Pause between attempts while the page is open. */
const AGAIN_MS = 30_000;

/** Stores pending sign-outs in local storage, so that they outlive the page. */
export function createSignOuts({
  session,
  app,
  baseUrl = window.location.origin,
  storage = ownStorage(),
}: SignOutOptions): SignOuts {
  const key = `vitrine.sign-outs.${app}`;
  const url = new URL(`/v1/auth/sign-out${app === 'portal' ? '' : `?app=${app}`}`, baseUrl);
  let running: Promise<boolean> | null = null;

  const pending = () => read(storage?.getItem(key) ?? null);
  const keep = (tokens: readonly string[]) => {
    if (tokens.length === 0) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify(tokens));
  };

  const deliverAll = async (): Promise<boolean> => {
    // Only the newest sign-out may still have its cookie; otherwise, or once signed in again, the cookie is not its own.
    for (const [index, token] of pending().toReversed().entries()) {
      const withCookie = index === 0 && session.token() === null;
      if (await endAtServer(url, token, withCookie)) keep(pending().filter((one) => one !== token));
    }
    return pending().length === 0;
  };

  const deliver = (): Promise<boolean> => {
    if (pending().length === 0) return Promise.resolve(true);
    running ??= oneTabAtATime(key, PATIENCE_MS, deliverAll)
      .catch(() => false)
      .finally(() => {
        running = null;
      });
    return running;
  };

  return {
    async signOut() {
      const token = session.token();
      if (token === null) return deliver();
      keep([...pending(), token]);
      session.clear();
      // A delivery already running does not include this token.
      await running;
      return deliver();
    },
    deliver,
    start() {
      const again = () => void deliver();
      const timer = setInterval(again, AGAIN_MS);
      window.addEventListener('online', again);
      again();
      return () => {
        clearInterval(timer);
        window.removeEventListener('online', again);
      };
    },
  };
}

/** Returns whether the session is ended or unknown at the server; false if the server could not be reached. */
async function endAtServer(url: URL, token: string, withCookie: boolean): Promise<boolean> {
  try {
    const { status } = await fetchWithin(PATIENCE_MS, url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      // Omit the cookie, so that the response cannot remove another person's.
      credentials: withCookie ? 'same-origin' : 'omit',
      keepalive: true,
    });
    return status < 500 && status !== 408 && status !== 429;
  } catch {
    return false;
  }
}

function read(text: string | null): string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
