/** Renewing the session: once, never for somebody else, and never without end. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi, isAborted, listOf } from './client.ts';
import { GENERIC_MESSAGE } from './problem.ts';
import { createSessionStore } from './session-store.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const base64 = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '');
/** A token that says whose it is. */
const tokenOf = (person: string, nonce = 0) =>
  `${base64({ alg: 'EdDSA' })}.${base64({ sub: person, nonce })}.signature`;

type Reply = (path: string, token: string | null) => Response | Promise<Response>;
let calls: string[] = [];

function serve(reply: Reply) {
  vi.stubGlobal('fetch', async (input: Request | URL) => {
    const request = input instanceof Request ? input : new Request(input);
    const path = new URL(request.url).pathname;
    const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? null;
    calls.push(path);
    return reply(path, token);
  });
}

function setUp(token: string) {
  const session = createSessionStore('test.session');
  session.save(token);
  const onSignedOut = vi.fn(() => session.clear());
  const tab = () => createApi({ session, onSignedOut });
  return { session, onSignedOut, tab, api: tab() };
}

const refreshes = () => calls.filter((path) => path === '/v1/auth/refresh').length;

beforeEach(() => {
  localStorage.clear();
  calls = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('a dead line during the refresh ends neither the session nor in a loop', async () => {
  serve((path) => {
    if (path === '/v1/auth/refresh') throw new TypeError('Failed to fetch');
    return json(401, {});
  });
  const { api, session, onSignedOut } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toMatchObject({ status: 500, message: GENERIC_MESSAGE });
  expect(calls).toEqual(['/v1/organizations', '/v1/auth/refresh']);
  expect(onSignedOut).not.toHaveBeenCalled();
  expect(session.token()).toBe('first');
});

test('a dead base URL costs one request a call', async () => {
  serve(() => {
    throw new TypeError('Failed to fetch');
  });
  const { api, session } = setUp('first');
  await expect(answerOf(api.GET('/v1/config'))).rejects.toMatchObject({ status: 500 });
  expect(calls).toEqual(['/v1/config']);
  expect(session.token()).toBe('first');
});

test.each([429, 500, 502, 503])('a refresh answered with %i keeps the session for the next try', async (status) => {
  serve((path) => json(path === '/v1/auth/refresh' ? status : 401, { message: 'Later' }));
  const { api, session, onSignedOut } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toMatchObject({ status, message: 'Later' });
  expect(onSignedOut).not.toHaveBeenCalled();
  expect(session.token()).toBe('first');
});

test('many refused calls end the session once', async () => {
  serve(() => json(401, {}));
  const { api, onSignedOut } = setUp('first');
  const all = await Promise.allSettled([1, 2, 3].map(() => listOf(api.GET('/v1/organizations'))));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect([refreshes(), onSignedOut.mock.calls.length]).toEqual([1, 1]);
});

test('two tabs take turns: the second finds the token of the first', async () => {
  let chain: Promise<unknown> = Promise.resolve();
  const request = (_name: string, run: () => Promise<void>) => {
    const turn = chain.then(run);
    chain = turn.catch(() => undefined);
    return turn;
  };
  vi.stubGlobal('navigator', { locks: { request } });
  serve((path, token) => {
    if (path === '/v1/auth/refresh') return json(200, { accessToken: 'second' });
    return token === 'second' ? json(200, { data: [] }) : json(401, {});
  });
  const { tab } = setUp('first');
  await Promise.all([tab(), tab()].map((api) => listOf(api.GET('/v1/organizations'))));
  expect(refreshes()).toBe(1);
});

test('an answer that comes after signing out does not sign in again', async () => {
  const { api, session } = setUp('first');
  serve((path) => {
    if (path !== '/v1/auth/refresh') return json(401, {});
    session.clear();
    return json(200, { accessToken: 'second' });
  });
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toSatisfy(isAborted);
  expect(session.token()).toBeNull();
});

test('a refused call is not repeated in the name of somebody else', async () => {
  const { api, session } = setUp(tokenOf('ada'));
  serve((_path, token) => {
    if (token === tokenOf('bea')) return json(200, { uid: 'p' });
    session.save(tokenOf('bea'));
    return json(401, {});
  });
  const body = { playlist: { title: 'New' } };
  const call = answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id: 'p' } }, body }));
  await expect(call).rejects.toSatisfy(isAborted);
  expect(calls).toEqual(['/v1/playlists/p']);
});

test('a refused call of the same person is repeated with the newer token of another tab', async () => {
  const { api, session } = setUp(tokenOf('ada'));
  serve((_path, token) => {
    if (token === tokenOf('ada', 1)) return json(200, { data: [] });
    session.save(tokenOf('ada', 1));
    return json(401, {});
  });
  await expect(listOf(api.GET('/v1/organizations'))).resolves.toEqual([]);
  expect([calls.length, refreshes()]).toEqual([2, 0]);
});
