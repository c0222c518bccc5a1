import { expect, test } from 'vitest';
import { fieldOf, isoOf } from './zoned.ts';

test('a field shows the clock of the zone and is read back', () => {
  for (const [iso, zone, field] of [
    ['2026-12-01T08:00:00.000Z', 'Europe/Berlin', '2026-12-01T09:00'],
    ['2026-07-01T08:00:00.000Z', 'Europe/Berlin', '2026-07-01T10:00'],
    ['2026-12-31T23:30:00.000Z', 'Asia/Kolkata', '2027-01-01T05:00'],
    ['2026-01-01T00:00:00.000Z', 'America/New_York', '2025-12-31T19:00'],
    ['2026-01-01T00:00:00.000Z', 'UTC', '2026-01-01T00:00'],
  ] as const) {
    expect(fieldOf(iso, zone)).toBe(field);
    expect(isoOf(field, zone)).toBe(iso);
  }
});

test('no time is an empty field', () => {
  expect(fieldOf('', 'UTC')).toBe('');
  expect(isoOf('', 'UTC')).toBe('');
});

test('times that clocks skip or show twice are read in one way', () => {
  expect(isoOf('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(isoOf('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T01:30:00.000Z');
});
