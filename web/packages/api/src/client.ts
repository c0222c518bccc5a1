/** The typed client: bearer token, one refresh and one repeat on 401, Retry-After honoured, one kind of error. */
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './paths.ts';
import { ApiProblem, retryAfterOf } from './problem.ts';
import { createRenewal } from './renewal.ts';
import type { SessionStore } from './session-store.ts';
import { goOn, retrying } from './waiting.ts';

/** The calls of the served API, typed by path. */
export type Api = Client<paths>;

/** What the client needs from the application around it. */
export interface ApiOptions {
  session: SessionStore;
  /** Called once the session cannot be refreshed; the application shows its sign-in page. */
  onSignedOut: () => void;
  /** Awaited before a call that opens a session: log-outs the server has not heard of come first. */
  beforeSignIn?: () => Promise<unknown>;
  /** Which app's session it is: each keeps its own refresh cookie. */
  app?: 'portal' | 'viewer';
  baseUrl?: string;
}

/** Calls that open a session. They belong to the person they sign in, not to the one who was signed in before. */
const SIGN_INS = /^\/v1\/auth\/(sign-in|sign-up|(magic-links|oidc|password-resets)\/redeem)$/;
/** Longest wait that a call which changes something sits out: longer ones are the limits of sign-ins and mails. */
const WRITE_WAIT_S = 10;

/** What makes `answerOf` throw when the session of a call has ended in the meantime. */
const owners = new WeakMap<Response, () => void>();

/** Makes the client of one application. */
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
    // Another tab may have refreshed in the meantime: then its token is tried first.
    if (session.token() === token) await retrying(() => renew(token), { signal: scope, repeatable: true });
    const renewed = session.token();
    // Signed out, or somebody else by now: the call is not theirs to repeat.
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
        return goOn(() => send(request.clone(), null), refusalOf, waiting);
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
        const answer = await goOn(attempt, refusalOf, read ? { signal, repeatable: true } : { ...waiting, signal });
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
    return await fetch(request);
  } catch (error) {
    if (isAborted(error)) throw error;
    throw ApiProblem.network();
  }
}

function refusalOf({ status, headers }: Response) {
  return { status, retryAfter: retryAfterOf(headers) };
}

/** Whether a call was stopped rather than failed: its screen or its session is gone, and nobody waits for a message. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * The body of a call that went well; throws an ApiProblem otherwise. An answer that comes after its session has ended
 * throws an AbortError instead (`isAborted`): nothing of one person gets into a cache, a store or a screen of the next.
 */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  owners.get(response)?.();
  if (!response.ok) throw ApiProblem.from(response.status, error, response.headers);
  return data as T;
}

/** The records of a list answer; a bare array is accepted too. */
export async function listOf<T>(call: Promise<Answer<{ data: T[] }>>): Promise<T[]> {
  const body: { data: T[] } | T[] = await answerOf(call);
  return Array.isArray(body) ? body : body.data;
}
