import { expect, it } from 'vitest';
import { firstScreen } from './first-screen.ts';

it('knows the screens that people open the app at', () => {
  expect(firstScreen('/app/')).toBe('home');
  expect(firstScreen('/app/org/north')).toBe('home');
  expect(firstScreen('/app/org/north/')).toBe('home');
  expect(firstScreen('/app/org/north/playlists/one')).toBe('playlist');
});

it('loads nothing ahead for others', () => {
  for (const path of ['/app/sign-in', '/app/org/north/me', '/app/org/north/search', '/app/org/', '/app/join/code']) {
    expect(firstScreen(path)).toBeNull();
  }
});
