/** Renewing an access token by the refresh cookie: once for all calls of a tab, one tab after the other. */
import { ApiProblem } from './problem.ts';
import type { SessionStore } from './session-store.ts';
import type { SessionOut } from './wire.ts';

interface RenewalOptions {
  session: SessionStore;
  onSignedOut: () => void;
  app: 'portal' | 'viewer';
  baseUrl: string;
}

const REFRESH_PATH = '/v1/auth/refresh';
/** A refresh that hangs must not hold up the other tabs for longer. */
const PATIENCE_MS = 15_000;

/**
 * The way to renew a token that was refused. Only the server's own refusal ends the session; a dead line or a server
 * in trouble throws an ApiProblem, and the session stays for the next try.
 */
export function createRenewal({ session, onSignedOut, app, baseUrl }: RenewalOptions) {
  const url = new URL(app === 'portal' ? REFRESH_PATH : `${REFRESH_PATH}?app=${app}`, baseUrl);
  let running: Promise<void> | null = null;

  const refresh = async (stale: string): Promise<void> => {
    // Another tab was first, or somebody signed out while this one waited its turn.
    if (session.token() !== stale) return;
    const answer = await request(url);
    // An answer that comes after a sign-out must not sign in again.
    if (session.token() !== stale) return;
    if (answer.ok) session.save(((await answer.json()) as SessionOut).accessToken);
    else if (answer.status === 401) onSignedOut();
    else throw ApiProblem.from(answer.status, await answer.json().catch(() => null), answer.headers);
  };

  return (stale: string): Promise<void> => {
    running ??= oneTabAtATime(`vitrine.refresh.${app}`, () => refresh(stale)).finally(() => {
      running = null;
    });
    return running;
  };
}

async function request(url: URL): Promise<Response> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  try {
    return await fetch(url, { method: 'POST', credentials: 'same-origin', signal: stop.signal });
  } catch {
    throw ApiProblem.network();
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers without locks rely on the server, which gives the same successor to refreshes that come together. */
function oneTabAtATime(name: string, run: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request(name, run) : run();
}
