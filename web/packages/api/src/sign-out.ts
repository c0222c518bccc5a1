/** Signing out: here at once, and at the server as soon as it can be told. */
import { fetchWithin, oneTabAtATime } from './limits.ts';
import { ownStorage, type SessionStore } from './session-store.ts';

interface SignOutOptions {
  session: SessionStore;
  app: 'portal' | 'viewer';
  baseUrl?: string;
  storage?: Storage | null;
}

/** The log-outs of one app. */
export interface SignOuts {
  /** Ends the session of this browser at once; resolves to whether the server knows of it. */
  signOut(): Promise<boolean>;
  /**
   * Tells the server of log-outs it has not heard of; resolves to whether it knows of all of them. Never rejects and
   * never takes long. A sign-in awaits it, so that a late log-out cannot take the cookie of the next person.
   */
  deliver(): Promise<boolean>;
  /** Delivers what an earlier page left behind, and tries again while this one is open; returns the way to stop. */
  start(): () => void;
}

/** Longer than this nobody waits for the server to be told. */
const PATIENCE_MS = 5_000;
/** Pause before another try while the page is open. */
const AGAIN_MS = 30_000;

/** Keeps log-outs the server has not heard of in local storage, so that they outlive the page. */
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
    // The newest one may have left its cookie; to any other, and once somebody is signed in, the cookie is not theirs.
    for (const [index, token] of pending().toReversed().entries()) {
      const withCookie = index === 0 && session.token() === null;
      if (await tell(url, token, withCookie)) keep(pending().filter((one) => one !== token));
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
      // One that runs already does not know of this token.
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

/** Whether the server has ended the session, or knows of none; false where it could not be told. */
async function tell(url: URL, token: string, withCookie: boolean): Promise<boolean> {
  try {
    const { status } = await fetchWithin(PATIENCE_MS, url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      // Without the cookie, the answer cannot take that of another person away either.
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
