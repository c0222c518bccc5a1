/** The typed client: bearer token, one refresh and one repeat on 401, one kind of error. */
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './paths.ts';
import { ApiProblem } from './problem.ts';
import { createRenewal } from './renewal.ts';
import type { SessionStore } from './session-store.ts';

/** The calls of the served API, typed by path. */
export type Api = Client<paths>;

/** What the client needs from the application around it. */
export interface ApiOptions {
  session: SessionStore;
  /** Called once the session cannot be refreshed; the application shows its sign-in page. */
  onSignedOut: () => void;
  /** Which app's session it is: each keeps its own refresh cookie. */
  app?: 'portal' | 'viewer';
  baseUrl?: string;
}

/** Makes the client of one application. */
export function createApi({ session, onSignedOut, app = 'portal', baseUrl = window.location.origin }: ApiOptions): Api {
  const renew = createRenewal({ session, onSignedOut, app, baseUrl });
  return createFetchClient<paths>({
    baseUrl,
    credentials: 'same-origin',
    fetch: async (request: Request) => {
      const token = session.token();
      if (token === null) return send(request, null);
      const person = session.person();
      const again = request.clone();
      const answer = await send(request, token);
      if (answer.status !== 401) return answer;
      // Another tab may have refreshed in the meantime: then its token is tried first.
      if (session.token() === token) await renew(token);
      const renewed = session.token();
      // Signed out, or somebody else by now: the call is not theirs to repeat.
      if (renewed === null || renewed === token || session.person() !== person) return answer;
      return send(again, renewed);
    },
  });
}

async function send(request: Request, token: string | null): Promise<Response> {
  if (token !== null) request.headers.set('Authorization', `Bearer ${token}`);
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ApiProblem.network();
  }
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a call that went well; throws an ApiProblem otherwise. */
export async function answerOf<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw ApiProblem.from(response.status, error, response.headers);
  return data as T;
}

/** The records of a list answer; a bare array is accepted too. */
export async function listOf<T>(call: Promise<Answer<{ data: T[] }>>): Promise<T[]> {
  const body: { data: T[] } | T[] = await answerOf(call);
  return Array.isArray(body) ? body : body.data;
}
