import { beforeEach, expect, test } from 'vitest';
import { rememberRedirect, safeRedirect, takeRedirect } from './model.ts';

beforeEach(() => localStorage.clear());

test('only paths of this site are remembered', () => {
  expect(safeRedirect('/org/1/home?x=1#y')).toBe('/org/1/home?x=1#y');
  for (const bad of [
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'org/1',
  ]) {
    expect(safeRedirect(bad), String(bad)).toBeNull();
  }
});

test('sign-in screens are never remembered', () => {
  for (const bad of ['/login', '/login?x=1', '/sign-up', '/forgot-password', '/authenticate?action=login']) {
    expect(safeRedirect(bad), bad).toBeNull();
  }
  expect(safeRedirect('/login-help')).toBe('/login-help');
});

test('the remembered path is used once, then the root', () => {
  rememberRedirect('/org/1/leads');
  expect(takeRedirect()).toBe('/org/1/leads');
  expect(localStorage.getItem('redirectUrl')).toBeNull();
  expect(takeRedirect()).toBe('/');
});
