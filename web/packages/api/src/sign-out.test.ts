/** Signing out while the server cannot be reached. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi } from './client.ts';
import { createSessionStore } from './session-store.ts';
import { createSignOuts } from './sign-out.ts';

interface SignOutRequest {
  path: string;
  token: string | null;
  credentials: RequestCredentials | undefined;
}

let requests: SignOutRequest[] = [];
let reply: () => Response | Promise<Response>;
const KEY = 'vitrine.sign-outs.portal';

beforeEach(() => {
  localStorage.clear();
  requests = [];
  reply = () => new Response(null, { status: 204 });
  vi.stubGlobal('fetch', async (input: Request | URL, init: RequestInit = {}) => {
    const { pathname: path, search } = new URL(input instanceof Request ? input.url : input);
    const headers = input instanceof Request ? input.headers : new Headers(init.headers);
    const token = headers.get('Authorization')?.replace('Bearer ', '') ?? null;
    requests.push({ path: path + search, token, credentials: init.credentials });
    const answer = await Promise.race([
      reply(),
      new Promise<Response>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    ]);
    return answer;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setUp(token: string | null = 'ada', app: 'portal' | 'viewer' = 'portal') {
  const session = createSessionStore('test.session');
  if (token !== null) session.save(token);
  const signOuts = createSignOuts({ session, app });
  const api = createApi({ session, onSignedOut: () => session.clear(), beforeSignIn: signOuts.deliver, app });
  return { session, signOuts, api };
}

const dead = () => Promise.reject(new TypeError('Failed to fetch'));
const hangs = () => new Promise<Response>(() => undefined);

test('the session ends here at once, and the server gets its token and cookie', async () => {
  const { session, signOuts } = setUp('ada', 'viewer');
  const known = signOuts.signOut();
  expect(session.token()).toBeNull();
  await expect(known).resolves.toBe(true);
  expect(requests).toEqual([{ path: '/v1/auth/sign-out?app=viewer', token: 'ada', credentials: 'same-origin' }]);
  expect(localStorage.length).toBe(0);
});

test.each([
  ['cannot be reached', dead],
  ['fails', async () => new Response(null, { status: 503 })],
])('a server that %s is notified by the next page', async (_, failure) => {
  reply = failure;
  await expect(setUp().signOuts.signOut()).resolves.toBe(false);
  reply = () => new Response(null, { status: 204 });
  const stop = setUp(null).signOuts.start();
  await vi.waitFor(() => expect(localStorage.getItem(KEY)).toBeNull(), { timeout: 15_000 });
  stop();
  expect(requests.map(({ token, credentials }) => [token, credentials])).toEqual([
    ['ada', 'same-origin'],
    ['ada', 'same-origin'],
  ]);
});

test('a server that does not respond delays sign-out by at most five seconds, and is notified once online', async () => {
  vi.useFakeTimers();
  reply = hangs;
  const { signOuts } = setUp();
  const stop = signOuts.start();
  const known = signOuts.signOut();
  await vi.advanceTimersByTimeAsync(5000);
  await expect(known).resolves.toBe(false);
  reply = () => new Response(null, { status: 204 });
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  stop();
  expect([requests.length, localStorage.getItem(KEY)]).toEqual([2, null]);
});

test('delivery is retried while the page is open', async () => {
  vi.useFakeTimers();
  reply = dead;
  const { signOuts } = setUp();
  const stop = signOuts.start();
  await expect(signOuts.signOut()).resolves.toBe(false);
  reply = () => new Response(null, { status: 204 });
  await vi.advanceTimersByTimeAsync(30_000);
  stop();
  expect([requests.length, localStorage.getItem(KEY)]).toEqual([2, null]);
});

test('a session that has already ended at the server counts as delivered', async () => {
  reply = () => new Response(null, { status: 401 });
  await expect(setUp().signOuts.signOut()).resolves.toBe(true);
});

test('sign-in waits until the server has received the sign-out', async () => {
  reply = dead;
  await setUp().signOuts.signOut();
  reply = () => new Response(JSON.stringify({ accessToken: 'bea' }), { status: 200 });
  requests = [];
  const { api } = setUp(null);
  await answerOf(api.POST('/v1/auth/sign-in', { body: { email: 'bea@example.com', password: 'p' } }));
  expect(requests.map(({ path, token }) => [path, token])).toEqual([
    ['/v1/auth/sign-out', 'ada'],
    ['/v1/auth/sign-in', null],
  ]);
});

test("another person's cookie is left alone once they are signed in", async () => {
  reply = dead;
  await setUp().signOuts.signOut();
  reply = () => new Response(null, { status: 204 });
  requests = [];
  await expect(setUp('bea').signOuts.deliver()).resolves.toBe(true);
  expect(requests).toEqual([{ path: '/v1/auth/sign-out', token: 'ada', credentials: 'omit' }]);
});

test('of two pending sign-outs, only the last one has its cookie', async () => {
  reply = dead;
  await setUp('ada').signOuts.signOut();
  await setUp('bea').signOuts.signOut();
  requests = [];
  reply = () => new Response(null, { status: 204 });
  await expect(setUp(null).signOuts.deliver()).resolves.toBe(true);
  expect(requests.map(({ token, credentials }) => [token, credentials])).toEqual([
    ['bea', 'same-origin'],
    ['ada', 'omit'],
  ]);
});

test.each(['{', '7', '[7]'])('a corrupt entry does not block delivery: %s', async (text) => {
  localStorage.setItem(KEY, text);
  await expect(setUp(null).signOuts.deliver()).resolves.toBe(true);
  expect(requests).toEqual([]);
});
