import { expect, test } from 'vitest';
import { methods, sessions } from '~/shared/testing/identity.ts';
import { detailsOf, deviceOf, isHandheld, lastSeen, providersOf, sorted } from './model.ts';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const [phone, here, nameless] = sessions as [(typeof sessions)[0], (typeof sessions)[0], (typeof sessions)[0]];

test('this device is first, then the most recently used', () => {
  expect(sorted(sessions).map(({ uid }) => uid)).toEqual(['here', 'nameless', 'phone']);
});

test('last use is shown as relative time, and later as a date', () => {
  const lastUse = (timeLastSeen: string) => lastSeen({ ...phone, timeLastSeen }, NOW);
  expect(lastSeen(here, NOW)).toBe('Active now');
  expect(lastUse('2026-11-20T09:59:30.000Z')).toBe('30 seconds ago');
  expect(lastUse('2026-11-18T10:00:01.000Z')).toBe('47 hours ago');
  expect(lastUse('2026-11-18T10:00:00.000Z')).toBe('18 Nov 2026');
  expect(lastUse('2026-11-21T10:00:00.000Z')).toBe('0 seconds ago');
  expect(lastUse('')).toBe('');
});

test('unknown values are labeled as unknown', () => {
  expect(deviceOf(nameless)).toBe('Unknown device');
  expect(detailsOf(nameless, NOW)).toBe('Unknown location · Portal · 24 hours ago');
  expect(detailsOf({ ...phone, timeLastSeen: '' }, NOW)).toBe('203.0.113.7 · Viewer app');
});

test('a phone is distinguished from a computer', () => {
  const handheld = (device: string) => isHandheld({ device });
  expect(['Safari on iPhone', 'Chrome on Android', 'Firefox on iPadOS'].map(handheld)).toEqual([true, true, true]);
  expect(['Chrome on Windows', 'Safari on macOS', ''].map(handheld)).toEqual([false, false, false]);
});

test('both providers are listed, and any other that is linked', () => {
  expect(providersOf(methods)).toEqual([
    { name: 'Google', linked: true },
    { name: 'Apple', linked: false },
  ]);
  expect(providersOf({ providers: ['apple', 'acme'] })).toEqual([
    { name: 'Google', linked: false },
    { name: 'Apple', linked: true },
    { name: 'acme', linked: true },
  ]);
});
