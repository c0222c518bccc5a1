/** Retry-After: which calls wait, for how long, and who is notified. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi, listOf } from './client.ts';
import { ApiProblem } from './problem.ts';
import { createSessionStore } from './session-store.ts';
import { retrying, waits } from './waiting.ts';

const json = (status: number, body: unknown, wait?: number) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) },
  });
const busy = (status: number, wait: number) =>
  json(status, { code: 'too_many_requests', message: 'Please wait.' }, wait);

let calls: string[] = [];
let answers: ((path: string) => Response)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  calls = [];
  vi.stubGlobal('fetch', async (input: Request | URL) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    calls.push(path);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer(path);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function setUp() {
  const session = createSessionStore('test.session');
  session.save('token');
  return { session, api: createApi({ session, onSignedOut: () => session.clear() }) };
}

const patch = (api: ReturnType<typeof setUp>['api']) =>
  answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id: 'p' } }, body: { playlist: { title: 'New' } } }));

test.each([429, 503])('a read that gets a %i waits as long as asked and continues automatically', async (status) => {
  answers = [() => busy(status, 5), () => busy(status, 2), () => json(200, { data: [] })];
  const { api } = setUp();
  const list = listOf(api.GET('/v1/organizations'));
  await vi.advanceTimersByTimeAsync(4900);
  expect([calls.length, waits.until()]).toEqual([1, Date.now() + 100]);
  await vi.advanceTimersByTimeAsync(100);
  expect([calls.length, waits.until()]).toEqual([2, Date.now() + 2000]);
  await vi.advanceTimersByTimeAsync(2000);
  await expect(list).resolves.toEqual([]);
  expect(waits.until()).toBeNull();
});

test('a write that was refused briefly is sent again with its body', async () => {
  answers = [() => busy(429, 3), () => json(200, { uid: 'p' })];
  const { api } = setUp();
  const saved = patch(api);
  await vi.advanceTimersByTimeAsync(3000);
  await expect(saved).resolves.toEqual({ uid: 'p' });
  expect(calls).toHaveLength(2);
});

test.each([
  ['a failed write may have been done', 503, 3],
  ['a long wait belongs on the screen', 429, 60],
])('%s: it is not retried', async (_, status, wait) => {
  answers = [() => busy(status, wait)];
  const { api } = setUp();
  await expect(patch(api)).rejects.toMatchObject({ status, retryAfter: wait });
  expect(calls).toHaveLength(1);
});

test('a server that stays busy is retried for two minutes, then its message is shown', async () => {
  answers = [() => busy(503, 30)];
  const { api } = setUp();
  const list = listOf(api.GET('/v1/organizations'));
  const refused = expect(list).rejects.toMatchObject({ status: 503, message: 'Please wait.' });
  await vi.advanceTimersByTimeAsync(120_000);
  await refused;
  expect(calls).toHaveLength(5);
});

test('signing out ends the wait: nothing is sent as the next person', async () => {
  answers = [() => busy(429, 5)];
  const { api, session } = setUp();
  const list = listOf(api.GET('/v1/organizations'));
  const stopped = expect(list).rejects.toMatchObject({ name: 'AbortError' });
  await vi.advanceTimersByTimeAsync(1000);
  session.clear();
  await stopped;
  expect([calls.length, waits.until()]).toEqual([1, null]);
});

test('a renewal that is refused briefly continues, and so does the call behind it', async () => {
  answers = [
    () => json(401, {}),
    () => busy(429, 4),
    () => json(200, { accessToken: 'second' }),
    () => json(200, { data: [] }),
  ];
  const { api } = setUp();
  const list = listOf(api.GET('/v1/organizations'));
  await vi.advanceTimersByTimeAsync(4000);
  await expect(list).resolves.toEqual([]);
  expect(calls.filter((path) => path === '/v1/auth/refresh')).toHaveLength(2);
});

test('a request sent another way waits too, and notifies its own screen', async () => {
  const waitEnds: (number | null)[] = [];
  const begin = Date.now();
  let tries = 0;
  const sent = retrying(
    async () => {
      tries += 1;
      if (tries < 3) throw new ApiProblem(503, 'Full', 'busy', {}, tries - 1);
      return 'sent';
    },
    { repeatable: true, onWait: (until) => waitEnds.push(until) },
  );
  await vi.advanceTimersByTimeAsync(2000);
  await expect(sent).resolves.toBe('sent');
  expect(waitEnds).toEqual([begin + 1000, null, begin + 2000, null]);
});

test('an error without Retry-After is thrown at once', async () => {
  await expect(retrying(() => Promise.reject(new ApiProblem(429, 'No')))).rejects.toMatchObject({ status: 429 });
  await expect(retrying(() => Promise.reject(new TypeError('No')))).rejects.toBeInstanceOf(TypeError);
});
