/** Renews the access token with the refresh cookie: once for all calls of a tab, one tab at a time. */
import { fetchWithin, oneTabAtATime } from './limits.ts';
import { ApiProblem } from './problem.ts';
import type { SessionStore } from './session-store.ts';
import { claimsOf } from './token.ts';
import type { SessionOut } from './wire.ts';

interface RenewalOptions {
  session: SessionStore;
  onSignedOut: () => void;
  app: 'portal' | 'viewer';
  baseUrl: string;
}

const REFRESH_PATH = '/v1/auth/refresh';
/** The server accepts a spent cookie for 10 s; the second attempt must arrive before that. */
const PATIENCE_MS = 8_000;
/** Longer than both attempts of another tab together. */
const LOCK_PATIENCE_MS = 2 * PATIENCE_MS + 2_000;

/**
 * Creates a function that renews a rejected token. Only a refusal by the server ends the session; a network or server
 * failure throws an ApiProblem and keeps the session for the next attempt.
 */
export function createRenewal({ session, onSignedOut, app, baseUrl }: RenewalOptions) {
  const url = new URL(app === 'portal' ? REFRESH_PATH : `${REFRESH_PATH}?app=${app}`, baseUrl);
  let running: { stale: string; done: Promise<void> } | null = null;

  const refresh = async (stale: string): Promise<void> => {
    // Another tab renewed first, or the person signed out while this tab waited.
    if (session.token() !== stale) return;
    const scope = session.scope();
    const answer = await ask(url, scope);
    // A response that arrives after sign-out must not sign in again.
    if (answer === null || session.token() !== stale) return;
    if (answer.status === 401) return onSignedOut();
    if (!answer.ok) throw ApiProblem.from(answer.status, await answer.json().catch(() => null), answer.headers);
    const { accessToken } = (await answer.json()) as SessionOut;
    // The cookie belongs to another person, who has signed in since. Never switch the person silently.
    if (claimsOf(accessToken).subject !== claimsOf(stale).subject) return onSignedOut();
    session.save(accessToken);
  };

  return (stale: string): Promise<void> => {
    // Do not wait for a renewal of the previous person.
    if (running?.stale !== stale) {
      const done = oneTabAtATime(`vitrine.refresh.${app}`, LOCK_PATIENCE_MS, () => refresh(stale)).finally(() => {
        if (running?.done === done) running = null;
      });
      running = { stale, done };
    }
    return running.done;
  };
}

/**
 * Retries immediately if there was no response: the first attempt may have spent the cookie. Returns null if the session
 * has ended; the request is then aborted, so that its response cannot overwrite the next person's cookie.
 */
async function ask(url: URL, scope: AbortSignal): Promise<Response | null> {
  const once = () => fetchWithin(PATIENCE_MS, url, { method: 'POST', credentials: 'same-origin', signal: scope });
  try {
    return await once().catch(() => (scope.aborted ? null : once()));
  } catch {
    if (scope.aborted) return null;
    throw ApiProblem.network();
  }
}
