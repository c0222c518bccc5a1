import { expect, test } from 'vitest';
import { dayStart, hourEnd } from './time-zone.ts';

const at = (now: string, zone: string, back = {}) => new Date(dayStart(Date.parse(now), zone, back)).toISOString();

test.each([
  ['UTC', '2026-11-20T00:00:00.000Z'],
  ['Europe/Berlin', '2026-11-19T23:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
  ['Pacific/Auckland', '2026-11-20T11:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-20T08:00:00.000Z'],
])('today begins in %s', (zone, expected) => {
  expect(at('2026-11-20T20:15:30.500Z', zone)).toBe(expected);
});

test('a day whose midnight is skipped begins after it', () => {
  expect(at('2026-09-06T15:00:00Z', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
  expect(at('2026-03-29T15:00:00Z', 'Atlantic/Azores')).toBe('2026-03-29T01:00:00.000Z');
  expect(at('2026-04-24T15:00:00Z', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z');
});

test('days and months before follow the calendar, across a change of the offset', () => {
  expect(at('2026-11-03T12:00:00Z', 'Europe/Berlin', { days: 9 })).toBe('2026-10-24T22:00:00.000Z');
  expect(at('2026-11-20T12:00:00Z', 'America/New_York', { months: 3, days: -1 })).toBe('2026-08-21T04:00:00.000Z');
  expect(at('2026-03-30T12:00:00Z', 'Europe/Berlin', { days: 1 })).toBe('2026-03-28T23:00:00.000Z');
});

test('a month without that day counts as if today were its last', () => {
  expect(at('2026-05-31T12:00:00Z', 'UTC', { months: 3, days: -1 })).toBe('2026-03-01T00:00:00.000Z');
  expect(at('2026-06-01T12:00:00Z', 'UTC', { months: 3, days: -1 })).toBe('2026-03-02T00:00:00.000Z');
  expect(at('2028-02-29T12:00:00Z', 'UTC', { months: 12, days: -1 })).toBe('2027-03-01T00:00:00.000Z');
});

test.each([
  ['2026-11-20T18:10:00Z', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
  ['2026-11-20T18:30:00Z', 'Asia/Kolkata', '2026-11-20T19:30:00.000Z'],
  ['2026-11-20T18:05:00Z', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  ['2026-11-20T18:10:00Z', 'America/New_York', '2026-11-20T19:00:00.000Z'],
])('the hour of %s ends in %s', (now, zone, end) => {
  expect(new Date(hourEnd(Date.parse(now), zone)).toISOString()).toBe(end);
});
