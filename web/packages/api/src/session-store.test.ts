import { beforeEach, expect, test, vi } from 'vitest';
import { createSessionStore } from './session-store.ts';
import { claimsOf } from './token.ts';

beforeEach(() => localStorage.clear());

const token = (payload: string) => `header.${btoa(payload)}.signature`;

test('the session knows its person', () => {
  const session = createSessionStore('store');
  expect([session.token(), session.person()]).toEqual([null, null]);
  session.save(token('{"sub":"ada"}'));
  expect(session.person()).toBe('ada');
  session.clear();
  expect(session.person()).toBeNull();
});

test.each([
  '',
  'token',
  'a.b',
  'a..c',
  token('null'),
  token('[]'),
  token('{"sub":7}'),
  token('{"sub":""}'),
  token('{'),
])('an invalid token has no person: %s', (text) => {
  expect(claimsOf(text)).toEqual({ subject: null, issuedAt: null });
});

test("the server's time is learned from a new token, and survives a reload; a correct clock is left alone", () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  const issued = (at: number) => token(JSON.stringify({ sub: 'ada', iat: at / 1000 }));
  const session = createSessionStore('store');
  session.save(issued(Date.now() - 1000));
  expect(session.now()).toBe(Date.now());
  session.save(issued(Date.now() + 28 * 86_400_000));
  vi.advanceTimersByTime(5000);
  expect(session.now()).toBe(Date.now() + 28 * 86_400_000);
  expect(createSessionStore('store').now()).toBe(session.now());
  session.save(issued(Date.now() - 86_400_000));
  expect(session.now()).toBe(Date.now() - 86_400_000);
  session.save(token('{"sub":"ada"}'));
  expect(session.now()).toBe(Date.now());
  vi.useRealTimers();
});

test('a change has its origin', () => {
  const session = createSessionStore('store');
  const heard = vi.fn();
  const stop = session.subscribe(heard);
  session.save('a');
  window.dispatchEvent(new StorageEvent('storage', { key: 'store' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'another' }));
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  session.clear();
  stop();
  session.save('b');
  expect(heard.mock.calls).toEqual([['here'], ['elsewhere'], ['elsewhere'], ['here']]);
});

test.each(['', '{', 'null', '"token"', '{}', '{"accessToken":7}', '{"accessToken":""}'])(
  'a corrupt entry is not a session: %s',
  (text) => {
    localStorage.setItem('store', text);
    expect(createSessionStore('store').token()).toBeNull();
  },
);

test('a browser that blocks storage is never signed in, and signing in throws', () => {
  const refusing = vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  try {
    const session = createSessionStore('store');
    expect([session.token(), session.person()]).toEqual([null, null]);
    expect(() => session.save('token')).toThrow(/^Identity SDK not initialised$/);
    expect(() => session.clear()).not.toThrow();
  } finally {
    refusing.mockRestore();
  }
});
