/** The redirect after sign-in never leaves this site. */
import { beforeEach, describe, expect, test } from 'vitest';
import { rememberRedirect, safeRedirect, takeRedirect } from './model.ts';

const HOST = 'evil.example';
const own = window.location.origin;

/** Attack strings: paths to other sites, or to a sign-in screen that would loop. */
const hostile: string[] = [
  // Not a path.
  '',
  ' ',
  '.',
  '..',
  'org/1',
  '?x=1',
  '#x',
  HOST,
  `@${HOST}`,
  `:80@${HOST}`,
  // URLs with a scheme, including our own.
  `https://${HOST}`,
  `http://${HOST}/org/1`,
  `HTTPS://${HOST}`,
  `https:${HOST}`,
  `https:/${HOST}`,
  `https:///${HOST}`,
  `ftp://${HOST}`,
  `blob:https://${HOST}/1`,
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript://%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'about:blank',
  'view-source:https://evil.example',
  `${own}/org/1`,
  `${own}@${HOST}/`,
  `${own}.${HOST}/`,
  // Another host through slashes, or characters browsers treat as slashes.
  `//${HOST}`,
  `///${HOST}`,
  `////${HOST}`,
  `//${HOST}/%2e%2e`,
  `//${HOST}:80/org/1`,
  `//user:pass@${HOST}`,
  `//${own.replace('http://', '')}@${HOST}`,
  `/\\${HOST}`,
  `\\\\${HOST}`,
  `\\/${HOST}`,
  `/\\/${HOST}`,
  `/org\\..\\..\\\\${HOST}`,
  `//\u3002${HOST}`,
  '//evil\u3002example',
  '//\uff45vil.example',
  // Characters that browsers strip.
  `/\t/${HOST}`,
  `/\n/${HOST}`,
  `/\r/${HOST}`,
  `/\r\n/${HOST}`,
  `\t//${HOST}`,
  `\n//${HOST}`,
  ` //${HOST}`,
  `\u0000//${HOST}`,
  `/\u0000/${HOST}`,
  `/\u000b/${HOST}`,
  `/\u00a0/${HOST}`,
  `/\u2028/${HOST}`,
  `\ufeff//${HOST}`,
  `/org/1\u007f`,
  '/org/1\r\nSet-Cookie: a=b',
  // Another host after resolving dots or decoding percent signs.
  `/.//${HOST}`,
  `/..//${HOST}`,
  `/org/..//${HOST}`,
  `/org/%2e%2e//${HOST}`,
  `/%2e//${HOST}`,
  `/%2F${HOST}`,
  `/%2f%2f${HOST}`,
  `/%5C${HOST}`,
  `/%5c%5c${HOST}`,
  `/%09/${HOST}`,
  `/%0d%0aLocation:%20//${HOST}`,
  `/%00/${HOST}`,
  `/%252F${HOST}`,
  `/%25252f${HOST}`,
  `/%2525252525252f${HOST}`,
  '/%',
  '/%zz',
  '/%c0%af%c0%afevil.example',
  // Sign-in screens.
  '/login',
  '/LOGIN',
  '/login/',
  '/login?redirect=https://evil.example',
  '/login#x',
  '/%6cogin',
  '/org/../login',
  '/./sign-up',
  '/sign-up',
  '/forgot-password?x',
  '/authenticate?action=login&code=x',
  '/reset-password?code=x',
  // Too long.
  `/${'a'.repeat(3000)}`,
  `/?${'x'.repeat(100_000)}`,
];

const ours = [
  '/',
  '/settings',
  '/org/1/playlists?search=talks&sort=title',
  '/org/1/home?x=1#y',
  '/invite?code=a%2Fb%20c',
  '/verify-email?code=abc',
  '/org/1/playlists?search=https://example.com//x',
  '/org/1/playlists?search=caf%C3%A9',
  '/login-help',
  '/org/1/login',
];

beforeEach(() => localStorage.clear());

test('the table is not empty', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(60);
});

describe('a hostile redirect', () => {
  test.each(hostile.map((path) => [JSON.stringify(path.slice(0, 60)), path] as const))('%s is refused', (_, path) => {
    expect(safeRedirect(path)).toBeNull();
  });

  test.each(hostile.map((path) => [JSON.stringify(path.slice(0, 60)), path] as const))(
    '%s in local storage leads nowhere but here, and is removed',
    (_, path) => {
      localStorage.setItem('redirectUrl', path);
      const way = takeRedirect();
      expect(way).toBe('/');
      expect(new URL(way, own).origin).toBe(own);
      expect(localStorage.getItem('redirectUrl')).toBeNull();
    },
  );

  test.each(hostile.map((path) => [JSON.stringify(path.slice(0, 60)), path] as const))(
    '%s is never written',
    (_, path) => {
      rememberRedirect(path);
      expect(localStorage.getItem('redirectUrl')).toBeNull();
    },
  );
});

test.each(ours)('%s is kept as it is, and stays on this site', (path) => {
  rememberRedirect(path);
  const way = takeRedirect();
  expect(way).toBe(path);
  expect(new URL(way, own).origin).toBe(own);
});

test('any text at all is refused or stays on this site', () => {
  const pieces = [
    '/',
    '\\',
    '.',
    '..',
    ':',
    '@',
    '%2f',
    '%5c',
    '%09',
    '\t',
    ' ',
    '?',
    '#',
    HOST,
    'https:',
    'org',
    '\u2028',
  ];
  let number = 7;
  const next = (below: number) => {
    number = (number * 48_271) % 2_147_483_647;
    return number % below;
  };
  for (let round = 0; round < 5000; round += 1) {
    const path = Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)]).join('');
    const way = safeRedirect(path);
    if (way === null) continue;
    const url = new URL(way, own);
    expect([url.origin, url.pathname.startsWith('//')], JSON.stringify(path)).toEqual([own, false]);
  }
});
