import { expect, test } from 'vitest';
import { minutesOf, ranges } from './model.ts';
import { rangeOf, spanOf } from './ranges.ts';

const BERLIN = 'Europe/Berlin';
const now = Date.parse('2026-11-20T15:20:30Z');

test('the last 7 days are the default and include today up to the end of this hour', () => {
  expect(ranges[0]?.label).toBe('Last 7 days');
  expect(rangeOf('nonsense')).toBe('7d');
  expect(spanOf('7d', now, BERLIN)).toEqual({
    startTime: '2026-11-13T23:00:00.000Z',
    endTime: '2026-11-20T16:00:00.000Z',
  });
});

test('no range asks for more than 366 days', () => {
  for (const { value } of ranges) {
    const { startTime, endTime } = spanOf(value, now, BERLIN);
    expect(Date.parse(endTime) - Date.parse(startTime)).toBeLessThanOrEqual(366 * 86_400_000);
  }
  expect(spanOf('3m', now, BERLIN).startTime).toBe('2026-08-20T22:00:00.000Z');
  expect(spanOf('28d', now, BERLIN).startTime).toBe('2026-10-23T22:00:00.000Z');
});

test("points are minutes with two decimals under readable dates of the organization's zone", () => {
  const series = { total: 65_000, data: [{ time: '2026-11-19T23:00:00Z', value: 65_000 }] };
  expect(minutesOf(series, 'days', BERLIN)).toEqual([{ label: '20 Nov', value: 1.08 }]);
  expect(minutesOf(series, 'days', 'UTC')).toEqual([{ label: '19 Nov', value: 1.08 }]);
});
