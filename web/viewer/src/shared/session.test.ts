import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOwnPath, rememberPath, takePath } from './lib/next-path.ts';
import { claimsOf } from './lib/token.ts';
import { serverNow, session, signedInPerson } from './session.ts';
import { tokenOf } from './testing/server.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the session', () => {
  it('knows its person', () => {
    expect(signedInPerson()).toBeNull();
    session.save(tokenOf('ann'));
    expect(signedInPerson()).toBe('ann');
  });

  it("learns the server's time from a new token, and leaves a correct clock alone", () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    session.save(tokenOf('ann', Date.now() - 1500));
    expect(serverNow()).toBe(Date.now());
    session.save(tokenOf('ann', Date.now() + 28 * 86_400_000));
    expect(serverNow()).toBe(Date.now() + 28 * 86_400_000);
    session.save(tokenOf('ann'));
    expect(serverNow()).toBe(Date.now());
  });

  it('reads nothing from an invalid token', () => {
    for (const text of ['', 'a.b', 'a.!.c', `a.${btoa('7')}.c`, `a.${btoa('{"sub":1}')}.c`]) {
      expect(claimsOf(text)).toEqual({ subject: null, issuedAt: null });
    }
  });
});

describe('the remembered page', () => {
  it('is used once', () => {
    rememberPath('/org/north?item=a');
    expect(takePath()).toBe('/org/north?item=a');
    expect(takePath()).toBe('/');
  });

  it('never leaves the app or returns to sign-in', () => {
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '',
      '/sign-in',
      '/authenticate?code=1',
    ]) {
      expect(isOwnPath(path)).toBe(false);
      rememberPath(path);
    }
    expect(takePath()).toBe('/');
    localStorage.setItem('vitrine.viewer.next', '//evil.example');
    expect(takePath()).toBe('/');
  });
});
