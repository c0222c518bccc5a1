/** Reads that the page's first script has sent already. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi, listOf } from './client.ts';
import { createSessionStore } from './session-store.ts';

const PATH = '/v1/organizations';
const list = (name: string) => Response.json({ data: [{ uid: name }] });

const sent = vi.fn(async (_: Request): Promise<Response> => list('sent'));

beforeEach(() => {
  localStorage.clear();
  sent.mockClear();
  vi.stubGlobal('fetch', sent);
});
afterEach(() => {
  vi.unstubAllGlobals();
  delete window.vitrineStarted;
});

function signedIn(token = 'first') {
  const session = createSessionStore('test.session');
  session.save(token);
  return createApi({ session, onSignedOut: () => undefined });
}

function started(answer: Promise<Response>, token = 'first') {
  answer.catch(() => undefined);
  window.vitrineStarted = { token, answers: { [PATH]: answer } };
}

test('its response is used once, and the next call is sent', async () => {
  started(Promise.resolve(list('started')));
  const api = signedIn();
  expect(await listOf(api.GET(PATH))).toEqual([{ uid: 'started' }]);
  expect(sent).not.toHaveBeenCalled();
  expect(await listOf(api.GET(PATH))).toEqual([{ uid: 'sent' }]);
});

test("another person's is not used", async () => {
  started(Promise.resolve(list('started')), 'of another person');
  expect(await listOf(signedIn().GET(PATH))).toEqual([{ uid: 'sent' }]);
});

test('a write and a read of something else are sent', async () => {
  started(Promise.resolve(list('started')));
  const api = signedIn();
  const query = { page: 2 } as never;
  expect(await listOf(api.GET(PATH, { params: { query } }))).toEqual([{ uid: 'sent' }]);
  await answerOf(api.POST(PATH, { body: {} as never }));
  expect(sent).toHaveBeenCalledTimes(2);
});

test('one that failed is the failure of the call', async () => {
  started(Promise.reject(new TypeError('Failed to fetch')));
  const api = signedIn();
  await expect(listOf(api.GET(PATH))).rejects.toMatchObject({ code: 'network' });
  expect(sent).not.toHaveBeenCalled();
  expect(await listOf(api.GET(PATH))).toEqual([{ uid: 'sent' }]);
});

test('a refused one is renewed and repeated as usual', async () => {
  started(Promise.resolve(Response.json({ status: 401 }, { status: 401 })));
  sent.mockImplementationOnce(async () => Response.json({ accessToken: 'second' }));
  expect(await listOf(signedIn().GET(PATH))).toEqual([{ uid: 'sent' }]);
  expect(sent).toHaveBeenCalledTimes(2);
});

test('a screen that is gone does not get it', async () => {
  started(Promise.resolve(list('started')));
  const leave = new AbortController();
  const call = listOf(signedIn().GET(PATH, { signal: leave.signal }));
  leave.abort(new DOMException('The screen is gone.', 'AbortError'));
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});
