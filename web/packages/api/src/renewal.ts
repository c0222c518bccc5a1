/** Renewing an access token by the refresh cookie: once for all calls of a tab, one tab after the other. */
import { fetchWithin, oneTabAtATime } from './limits.ts';
import { ApiProblem } from './problem.ts';
import type { SessionStore } from './session-store.ts';
import { subjectOf } from './token.ts';
import type { SessionOut } from './wire.ts';

interface RenewalOptions {
  session: SessionStore;
  onSignedOut: () => void;
  app: 'portal' | 'viewer';
  baseUrl: string;
}

const REFRESH_PATH = '/v1/auth/refresh';
/** The server honours a spent cookie for 10 s: the second try must be there before that. */
const PATIENCE_MS = 8_000;
/** Longer than both tries of another tab together. */
const LOCK_PATIENCE_MS = 2 * PATIENCE_MS + 2_000;

/**
 * The way to renew a token that was refused. Only the server's own refusal ends the session; a dead line or a server
 * in trouble throws an ApiProblem, and the session stays for the next try.
 */
export function createRenewal({ session, onSignedOut, app, baseUrl }: RenewalOptions) {
  const url = new URL(app === 'portal' ? REFRESH_PATH : `${REFRESH_PATH}?app=${app}`, baseUrl);
  let running: { stale: string; done: Promise<void> } | null = null;

  const refresh = async (stale: string): Promise<void> => {
    // Another tab was first, or somebody signed out while this one waited its turn.
    if (session.token() !== stale) return;
    const scope = session.scope();
    const answer = await ask(url, scope);
    // An answer that comes after a sign-out must not sign in again.
    if (answer === null || session.token() !== stale) return;
    if (answer.status === 401) return onSignedOut();
    if (!answer.ok) throw ApiProblem.from(answer.status, await answer.json().catch(() => null), answer.headers);
    const { accessToken } = (await answer.json()) as SessionOut;
    // The cookie is another person's: they signed in over this one. Nobody becomes somebody else under their hands.
    if (subjectOf(accessToken) !== subjectOf(stale)) return onSignedOut();
    session.save(accessToken);
  };

  return (stale: string): Promise<void> => {
    // Nobody waits for the renewal of the person before.
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
 * Asks a second time at once where no answer came: the first one may have spent the cookie. Null once the session has
 * ended: the request is dropped then, so that its answer cannot put its cookie over that of the next person.
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
