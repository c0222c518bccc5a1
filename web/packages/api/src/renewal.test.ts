/** Renewing the session: once, never for another person, and never in a loop. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi, isAborted, listOf } from './client.ts';
import { GENERIC_MESSAGE } from './problem.ts';
import { createSessionStore } from './session-store.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const base64 = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '');
/** A token with a subject. */
const tokenOf = (person: string, nonce = 0) =>
  `${base64({ alg: 'EdDSA' })}.${base64({ sub: person, nonce })}.signature`;

type StandIn = (path: string, token: string | null) => Response | Promise<Response>;
let calls: string[] = [];
/** The signal of the last abortable call. */
let stopped: AbortSignal | null = null;

function serve(reply: StandIn) {
  vi.stubGlobal('fetch', async (input: Request | URL, init: RequestInit = {}) => {
    const request = input instanceof Request ? input : new Request(input);
    stopped = init.signal ?? null;
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
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a network failure during the refresh is retried once, and keeps the session', async () => {
  serve((path) => {
    if (path === '/v1/auth/refresh') throw new TypeError('Failed to fetch');
    return json(401, {});
  });
  const { api, session, onSignedOut } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toMatchObject({ status: 500, message: GENERIC_MESSAGE });
  expect(calls).toEqual(['/v1/organizations', '/v1/auth/refresh', '/v1/auth/refresh']);
  expect(onSignedOut).not.toHaveBeenCalled();
  expect(session.token()).toBe('first');
});

test('an unreachable base URL costs one request per call', async () => {
  serve(() => {
    throw new TypeError('Failed to fetch');
  });
  const { api, session } = setUp('first');
  await expect(answerOf(api.GET('/v1/config'))).rejects.toMatchObject({ status: 500 });
  expect(calls).toEqual(['/v1/config']);
  expect(session.token()).toBe('first');
});

test.each([429, 500, 502, 503])('a refresh answered with %i keeps the session for the next attempt', async (status) => {
  serve((path) => json(path === '/v1/auth/refresh' ? status : 401, { message: 'Later' }));
  const { api, session, onSignedOut } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toMatchObject({ status, message: 'Later' });
  expect(onSignedOut).not.toHaveBeenCalled();
  expect(session.token()).toBe('first');
});

test('many rejected calls end the session once', async () => {
  serve(() => json(401, {}));
  const { api, onSignedOut } = setUp('first');
  const all = await Promise.allSettled([1, 2, 3].map(() => listOf(api.GET('/v1/organizations'))));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect([refreshes(), onSignedOut.mock.calls.length]).toEqual([1, 1]);
});

test('tabs take turns: the second finds the token of the first', async () => {
  let chain: Promise<unknown> = Promise.resolve();
  const request = (_name: string, _options: LockOptions, run: () => Promise<void>) => {
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

/** A response that never arrives, until the request is aborted. */
const hangs = () =>
  new Promise<Response>((_, reject) => {
    const signal = stopped;
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

test('a renewal that hangs is retried within the ten seconds in which the server accepts a spent cookie', async () => {
  vi.useFakeTimers();
  serve((path, token) => {
    if (path !== '/v1/auth/refresh') return token === 'second' ? json(200, { data: [] }) : json(401, {});
    return refreshes() === 1 ? hangs() : json(200, { accessToken: 'second' });
  });
  const { api, session, onSignedOut } = setUp('first');
  const list = listOf(api.GET('/v1/organizations'));
  await vi.advanceTimersByTimeAsync(8000);
  await expect(list).resolves.toEqual([]);
  expect([refreshes(), session.token(), onSignedOut.mock.calls.length]).toEqual([2, 'second', 0]);
});

test('a renewal that hangs twice fails, and keeps the session', async () => {
  vi.useFakeTimers();
  serve((path) => (path === '/v1/auth/refresh' ? hangs() : json(401, {})));
  const { api, session, onSignedOut } = setUp('first');
  const failed = expect(listOf(api.GET('/v1/organizations'))).rejects.toMatchObject({ code: 'network' });
  await vi.advanceTimersByTimeAsync(16_000);
  await failed;
  expect([refreshes(), session.token(), onSignedOut.mock.calls.length]).toEqual([2, 'first', 0]);
});

test('a tab that never gives the lock back does not block the others forever', async () => {
  vi.useFakeTimers();
  const request = (_name: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  vi.stubGlobal('navigator', { locks: { request } });
  serve((path, token) => {
    if (path === '/v1/auth/refresh') return json(200, { accessToken: 'second' });
    return token === 'second' ? json(200, { data: [] }) : json(401, {});
  });
  const { api } = setUp('first');
  const list = listOf(api.GET('/v1/organizations'));
  await vi.advanceTimersByTimeAsync(17_000);
  expect(refreshes()).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  await expect(list).resolves.toEqual([]);
});

test("another person's token is not taken for a renewal: the session ends here", async () => {
  const { api, session, onSignedOut } = setUp(tokenOf('bea'));
  serve((path) => json(path === '/v1/auth/refresh' ? 200 : 401, { accessToken: tokenOf('ada') }));
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toSatisfy(isAborted);
  expect([session.token(), onSignedOut.mock.calls.length, calls.length]).toEqual([null, 1, 2]);
});

test('the renewal of the person before is dropped at once, and the next person renews separately', async () => {
  const ended: boolean[] = [];
  serve((path, token) => {
    if (path !== '/v1/auth/refresh') return token === tokenOf('bea', 1) ? json(200, { data: [] }) : json(401, {});
    if (refreshes() > 1) return json(200, { accessToken: tokenOf('bea', 1) });
    stopped?.addEventListener('abort', () => ended.push(true));
    return hangs();
  });
  const { api, session, onSignedOut } = setUp(tokenOf('ada'));
  const ofAda = expect(listOf(api.GET('/v1/organizations'))).rejects.toSatisfy(isAborted);
  await vi.waitFor(() => expect(refreshes()).toBe(1), { timeout: 15_000 });
  session.save(tokenOf('bea'));
  await expect(listOf(api.GET('/v1/organizations'))).resolves.toEqual([]);
  await ofAda;
  expect([ended, refreshes(), session.token()]).toEqual([[true], 2, tokenOf('bea', 1)]);
  expect(onSignedOut).not.toHaveBeenCalled();
});

test('a response that arrives after signing out does not sign in again', async () => {
  const { api, session } = setUp('first');
  serve((path) => {
    if (path !== '/v1/auth/refresh') return json(401, {});
    session.clear();
    return json(200, { accessToken: 'second' });
  });
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toSatisfy(isAborted);
  expect(session.token()).toBeNull();
});

test('a rejected call is not retried as another person', async () => {
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

test('a rejected call is retried with a newer token of the same person from another tab', async () => {
  const { api, session } = setUp(tokenOf('ada'));
  serve((_path, token) => {
    if (token === tokenOf('ada', 1)) return json(200, { data: [] });
    session.save(tokenOf('ada', 1));
    return json(401, {});
  });
  await expect(listOf(api.GET('/v1/organizations'))).resolves.toEqual([]);
  expect([calls.length, refreshes()]).toEqual([2, 0]);
});
