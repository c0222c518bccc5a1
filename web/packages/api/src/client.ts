/** The typed client: adds the bearer token, refreshes and retries once on 401, honors Retry-After, unifies errors. */
import createFetchClient, { type Client } from 'openapi-fetch';
import { ApiProblem, retryAfterOf } from './problem.ts';
import { createRenewal } from './renewal.ts';
import type { paths } from './schema.d.ts';
import type { SessionStore } from './session-store.ts';
import { takeStarted } from './started.ts';
import { goOn, retrying } from './waiting.ts';

/** The API's calls, typed by path. A feature may pass its own paths for calls that openapi.json does not list. */
export type Api<Paths extends object = paths> = Client<Paths>;

/** What the client needs from the application. */
export interface ApiOptions {
  session: SessionStore;
  /** Called when the session cannot be refreshed; the application shows its sign-in page. */
  onSignedOut: () => void;
  /** Awaited before a call that opens a session, so that pending sign-outs are delivered first. */
  beforeSignIn?: () => Promise<unknown>;
  /** The app the session belongs to; each app has its own refresh cookie. */
  app?: 'portal' | 'viewer';
  baseUrl?: string;
}

/** Calls that open a session. They belong to the person signing in, not to the previous one. */
const SIGN_INS = /^\/v1\/auth\/(sign-in|sign-up|(magic-links\/redeem(-code)?|(oidc|password-resets)\/redeem))$/;
/** Longest wait for a write; longer ones are rate limits of sign-ins and emails. */
const WRITE_WAIT_S = 10;

/** Session of each response, so that `answerOf` throws if it has ended. */
const owners = new WeakMap<Response, () => void>();

/** Creates the client of an application. */
export function createApi({
  session,
  onSignedOut,
  beforeSignIn = () => Promise.resolve(),
  app = 'portal',
  baseUrl = window.location.origin,
}: ApiOptions): Api {
  const renew = createRenewal({ session, onSignedOut, app, baseUrl });

  const sendAs = async (request: Request, scope: AbortSignal): Promise<Response> => {
    const token = session.token();
    if (token === null) return send(request, null);
    const person = session.person();
    const again = request.clone();
    const answer = await send(request, token);
    if (answer.status !== 401) return answer;
    // Another tab may have refreshed the token; try that one first.
    if (session.token() === token) await retrying(() => renew(token), { signal: scope, repeatable: true });
    const renewed = session.token();
    // Signed out, or another person has signed in: do not repeat the call as them.
    if (renewed === null || renewed === token || session.person() !== person) return answer;
    return send(again, renewed);
  };

  return createFetchClient<paths>({
    baseUrl,
    credentials: 'same-origin',
    fetch: async (request: Request) => {
      const waiting = { longestS: WRITE_WAIT_S, signal: request.signal };
      if (SIGN_INS.test(new URL(request.url).pathname)) {
        await beforeSignIn();
        return goOn(() => send(request.clone(), null), retryInfoOf, waiting);
      }
      const scope = session.scope();
      const signal = AbortSignal.any([request.signal, scope]);
      const read = request.method === 'GET' || request.method === 'HEAD';
      const attempt = () => {
        signal.throwIfAborted();
        return sendAs(request.clone(), scope);
      };
      const stillTheirs = () => {
        session.scope();
        scope.throwIfAborted();
      };
      try {
        const answer = await goOn(attempt, retryInfoOf, read ? { signal, repeatable: true } : { ...waiting, signal });
        owners.set(answer, stillTheirs);
        return answer;
      } catch (error) {
        stillTheirs();
        throw error;
      }
    },
  });
}

async function send(request: Request, token: string | null): Promise<Response> {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  try {
    return (await takeStarted(request, token)) ?? (await fetch(request));
  } catch (error) {
    if (isAborted(error)) throw error;
    throw ApiProblem.network();
  }
}

function retryInfoOf({ status, headers }: Response) {
  return { status, retryAfter: retryAfterOf(headers) };
}

/** Returns whether a call was aborted because its screen or session is gone; such errors are not shown. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

interface ClientAnswer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Returns the body of a successful call; throws an ApiProblem otherwise. A response that arrives after its session has
 * ended throws an AbortError (`isAborted`), so that one person's data never reaches the next person's caches or screens.
 */
export async function answerOf<T>(call: Promise<ClientAnswer<T>>): Promise<T> {
  const { data, error, response } = await call;
  owners.get(response)?.();
  if (!response.ok) throw ApiProblem.from(response.status, error, response.headers);
  return data as T;
}

/** Returns the records of a list response; accepts a bare array too. */
export async function listOf<T>(call: Promise<ClientAnswer<{ data: T[] }>>): Promise<T[]> {
  const body: { data: T[] } | T[] = await answerOf(call);
  return Array.isArray(body) ? body : body.data;
}
