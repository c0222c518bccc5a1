/** The client: token, one refresh, one retry, one error type. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi, listOf } from './client.ts';
import { ApiProblem, GENERIC_MESSAGE } from './problem.ts';
import { createSessionStore } from './session-store.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

let calls: { path: string; token: string | null; body: string }[] = [];
let answers: ((path: string, token: string | null) => Response | Promise<Response>) | undefined;

beforeEach(() => {
  localStorage.clear();
  calls = [];
  vi.stubGlobal('fetch', async (input: Request | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const path = new URL(request.url).pathname;
    const token = request.headers.get('Authorization');
    calls.push({ path, token, body: await request.text() });
    if (answers === undefined) throw new TypeError('Failed to fetch');
    return answers(path, token);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  answers = undefined;
});

function setUp(token: string | null) {
  const session = createSessionStore('test.session');
  if (token !== null) session.save(token);
  const onSignedOut = vi.fn();
  return { session, onSignedOut, api: createApi({ session, onSignedOut }) };
}

test('a call carries the token of the session', async () => {
  answers = () => json(200, { data: [] });
  const { api } = setUp('first');
  await listOf(api.GET('/v1/organizations'));
  expect(calls).toEqual([{ path: '/v1/organizations', token: 'Bearer first', body: '' }]);
});

test('a call without a session carries no token, and a 401 does not trigger a refresh', async () => {
  answers = () => json(401, { message: 'The sign-in link is invalid or has expired.' });
  const { api, onSignedOut } = setUp(null);
  const call = answerOf(api.POST('/v1/auth/magic-links/redeem', { body: { email: 'a@b.co', code: 'x' } }));
  await expect(call).rejects.toMatchObject({ status: 401, message: 'The sign-in link is invalid or has expired.' });
  expect(calls).toHaveLength(1);
  expect(onSignedOut).not.toHaveBeenCalled();
});

test('after a 401 the token is refreshed once and the call is repeated with its body', async () => {
  answers = (path, token) => {
    if (path === '/v1/auth/refresh') return json(200, { accessToken: 'second' });
    return token === 'Bearer second' ? json(200, { uid: 'p' }) : json(401, {});
  };
  const { api, session, onSignedOut } = setUp('first');
  const body = { playlist: { title: 'New' } };
  await answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id: 'p' } }, body }));
  expect(calls.map(({ path, token }) => [path, token])).toEqual([
    ['/v1/playlists/p', 'Bearer first'],
    ['/v1/auth/refresh', null],
    ['/v1/playlists/p', 'Bearer second'],
  ]);
  expect(calls[2]?.body).toBe(JSON.stringify(body));
  expect(session.token()).toBe('second');
  expect(onSignedOut).not.toHaveBeenCalled();
});

test('concurrent calls that get a 401 share one refresh', async () => {
  answers = (path, token) => {
    if (path === '/v1/auth/refresh') return json(200, { accessToken: 'second' });
    return token === 'Bearer second' ? json(200, { data: [] }) : json(401, {});
  };
  const { api } = setUp('first');
  await Promise.all([1, 2, 3].map(() => listOf(api.GET('/v1/organizations'))));
  expect(calls.filter(({ path }) => path === '/v1/auth/refresh')).toHaveLength(1);
});

test('a retried call that gets a 401 again is not retried a second time', async () => {
  answers = (path) => (path === '/v1/auth/refresh' ? json(200, { accessToken: 'second' }) : json(401, {}));
  const { api } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toMatchObject({ status: 401 });
  expect(calls).toHaveLength(3);
});

test('a session that cannot be refreshed ends', async () => {
  answers = () => json(401, { message: 'Missing or invalid identity token' });
  const { api, onSignedOut } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).rejects.toBeInstanceOf(ApiProblem);
  expect(onSignedOut).toHaveBeenCalledOnce();
});

test('a network failure has status 500 and the generic message', async () => {
  const { api } = setUp(null);
  await expect(answerOf(api.GET('/v1/config'))).rejects.toMatchObject({ status: 500, message: GENERIC_MESSAGE });
});

test('a response without JSON becomes a problem with its status', async () => {
  answers = () => new Response('<html>', { status: 502 });
  const { api } = setUp(null);
  await expect(answerOf(api.GET('/v1/config'))).rejects.toMatchObject({ status: 502, message: GENERIC_MESSAGE });
});

test('a bare array is accepted as a list', async () => {
  answers = () => json(200, [{ uid: 'a' }]);
  const { api } = setUp('first');
  await expect(listOf(api.GET('/v1/organizations'))).resolves.toEqual([{ uid: 'a' }]);
});

test('field messages of the server are available by name', () => {
  const problem = ApiProblem.from(400, {
    message: 'Title is required',
    code: 'title_required',
    fields: { title: 'Title is required' },
  });
  expect(problem.fields).toEqual({ title: 'Title is required' });
  expect(problem.code).toBe('title_required');
});
