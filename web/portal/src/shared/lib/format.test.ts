import { describe, expect, test } from 'vitest';
import {
  chartMinutes,
  clock,
  count,
  countOrNone,
  cut,
  DESCRIPTION_LENGTH,
  fileSize,
  initials,
  NAME_LENGTH,
  percent,
  timeAgo,
  timeOrDate,
  wholeMinutes,
} from './format.ts';

describe('cutting names', () => {
  test('eighteen characters stay, nineteen get an ellipsis', () => {
    expect(cut('a'.repeat(18), 18)).toBe('a'.repeat(18));
    expect(cut('a'.repeat(19), 18)).toBe(`${'a'.repeat(18)}...`);
  });
  test('names are cut at 18 and descriptions at 70', () => {
    expect([NAME_LENGTH, DESCRIPTION_LENGTH]).toEqual([18, 70]);
    expect([cut('d'.repeat(70), DESCRIPTION_LENGTH).length, cut('d'.repeat(71), DESCRIPTION_LENGTH).length]).toEqual([
      70, 73,
    ]);
  });
  test('no character is split in two', () => {
    expect(cut('😀'.repeat(19), 18)).toBe(`${'😀'.repeat(18)}...`);
  });
});

test('negative, empty and invalid counts show 0, and nothing loaded shows N/A', () => {
  expect([count(-3), count(null), count(undefined), count(Number.NaN), count(12480)]).toEqual([
    '0',
    '0',
    '0',
    '0',
    '12,480',
  ]);
  expect(countOrNone(undefined, false)).toBe('N/A');
  expect(countOrNone(undefined, true)).toBe('0');
});

test('watch time is rounded to whole minutes on cards and to two decimals on charts', () => {
  expect([wholeMinutes(89_999), wholeMinutes(90_000), wholeMinutes(-1)]).toEqual(['1', '2', '0']);
  expect(chartMinutes(65_000)).toBe(1.08);
});

test('a share of few is not shown as none', () => {
  expect([0, 0.0001, 0.0005, 0.018, 0.1, 0.826, 1].map(percent)).toEqual([
    '0%',
    '<0.1%',
    '0.1%',
    '1.8%',
    '10%',
    '83%',
    '100%',
  ]);
});

test('file sizes use base 1024 and at most two decimals', () => {
  expect([0, 1, 1023, 1024, 1536, 1_234_567, 20 * 1024 ** 3].map(fileSize)).toEqual([
    '0 Bytes',
    '1 Bytes',
    '1023 Bytes',
    '1 KB',
    '1.5 KB',
    '1.18 MB',
    '20 GB',
  ]);
  expect(fileSize(1024 ** 8)).toBe('1 YB');
});

test('relative time is rounded down: seconds, minutes, then hours', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z');
  const ago = (ms: number) => timeAgo(new Date(now - ms).toISOString(), now);
  expect([
    ago(1000),
    ago(59_999),
    ago(60_000),
    ago(3_599_999),
    ago(3_600_000),
    ago(72 * 3_600_000),
    ago(-5000),
  ]).toEqual([
    '1 second ago',
    '59 seconds ago',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '72 hours ago',
    '0 seconds ago',
  ]);
});

test('durations and initials', () => {
  expect([clock(5000), clock(65_000), clock(3_665_000)]).toEqual(['0:05', '1:05', '1:01:05']);
  expect([initials('Ada Byron King'), initials('ada'), initials('')]).toEqual(['AB', 'A', '?']);
});

test('a time is relative within two days, and a date after that', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  expect(timeOrDate('2026-11-21T12:00:01Z', now)).toBe('47 hours ago');
  expect(timeOrDate('2026-11-21T12:00:00Z', now)).toBe('21 Nov 2026');
});
