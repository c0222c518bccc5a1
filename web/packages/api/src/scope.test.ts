/** Two people in one browser: pending responses for the first never reach the second. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerOf, createApi, isAborted } from './client.ts';
import { createSessionStore } from './session-store.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
const tokenOf = (person: string, nonce = 0) =>
  `h.${btoa(JSON.stringify({ sub: person, nonce })).replaceAll('=', '')}.s`;

/** Answers requests when the test says so. */
let answer: (reply: Response | Error) => void;
let sent: (string | null)[] = [];

beforeEach(() => {
  localStorage.clear();
  sent = [];
  vi.stubGlobal('fetch', (request: Request) => {
    sent.push(request.headers.get('Authorization'));
    return new Promise<Response>((resolve, reject) => {
      answer = (reply) => (reply instanceof Error ? reject(reply) : resolve(reply));
    });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function setUp(person: string | null = 'ada') {
  const session = createSessionStore('test.session');
  if (person !== null) session.save(tokenOf(person));
  return { session, api: createApi({ session, onSignedOut: () => session.clear() }) };
}

const save = (api: ReturnType<typeof setUp>['api']) =>
  answerOf(api.PATCH('/v1/profiles', { body: { user: { firstName: 'Ada' } } }));

/** Signs Bea in from another tab; the storage event arrives later, if at all. */
const elsewhere = () => localStorage.setItem('test.session', JSON.stringify({ accessToken: tokenOf('bea') }));

const changes: [string, (session: ReturnType<typeof setUp>['session']) => void][] = [
  ['signed out', (session) => session.clear()],
  [
    'signed out and in again',
    (session) => {
      session.clear();
      session.save(tokenOf('ada'));
    },
  ],
  ['gave way to another person', (session) => session.save(tokenOf('bea'))],
  ['gave way to another person in another tab', elsewhere],
];

test.each(changes)('a response for a person who has %s is dropped', async (_, change) => {
  const { session, api } = setUp();
  const saved = save(api);
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 15_000 });
  change(session);
  answer(json(200, { uid: 'ada', firstName: 'Ada' }));
  await expect(saved).rejects.toSatisfy(isAborted);
});

test('so is a failure', async () => {
  const { session, api } = setUp();
  const saved = save(api);
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 15_000 });
  session.save(tokenOf('bea'));
  answer(new TypeError('Failed to fetch'));
  await expect(saved).rejects.toSatisfy(isAborted);
});

test('a renewed token of the same person changes nothing', async () => {
  const { session, api } = setUp();
  const scope = session.scope();
  const saved = save(api);
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 15_000 });
  session.save(tokenOf('ada', 1));
  answer(json(200, { uid: 'ada' }));
  await expect(saved).resolves.toEqual({ uid: 'ada' });
  expect([scope.aborted, session.scope() === scope]).toEqual([false, true]);
});

test('work with a scope stops with the session, and never makes a call as the next person', async () => {
  const { session, api } = setUp();
  const scope = session.scope();
  session.save(tokenOf('bea'));
  expect(scope.aborted).toBe(true);
  const create = answerOf(api.PATCH('/v1/profiles', { body: { user: {} }, signal: scope }));
  await expect(create).rejects.toSatisfy(isAborted);
  expect(sent).toEqual([]);
});

test('a sign-in belongs to the person signing in: it carries no token and outlives the previous session', async () => {
  const { session, api } = setUp();
  const redeemed = answerOf(api.POST('/v1/auth/magic-links/redeem', { body: { email: 'b@example.com', code: 'c' } }));
  await vi.waitFor(() => expect(sent).toEqual([null]), { timeout: 15_000 });
  session.clear();
  answer(json(200, { accessToken: tokenOf('bea') }));
  await expect(redeemed).resolves.toEqual({ accessToken: tokenOf('bea') });
});

test('a call made while signed out is valid for anyone', async () => {
  const { session, api } = setUp(null);
  const config = answerOf(api.GET('/v1/config'));
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 15_000 });
  session.save(tokenOf('ada'));
  answer(json(200, { version: '1' }));
  await expect(config).resolves.toEqual({ version: '1' });
  expect(session.scope().aborted).toBe(false);
});
