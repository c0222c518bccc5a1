import { describe, expect, it } from 'vitest';
import { isOwnPath, rememberPath, takePath } from './next-path.ts';

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
