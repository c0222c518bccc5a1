import { expect, test } from 'vitest';
import { minutesOf, rangeOf, ranges, spanOf } from './model.ts';

const now = new Date(2026, 10, 20, 15, 20, 30);
const local = (...parts: [number, number, number, number?]) => new Date(...parts).toISOString();

test('the last 7 days are the default and include today up to the end of this hour', () => {
  expect(ranges[0].label).toBe('Last 7 days');
  expect(rangeOf('nonsense')).toBe('7d');
  expect(spanOf('7d', now)).toEqual({ startTime: local(2026, 10, 14), endTime: local(2026, 10, 20, 16) });
});

test('no range asks for more than 366 days', () => {
  for (const { value } of ranges) {
    const { startTime, endTime } = spanOf(value, now);
    expect(Date.parse(endTime) - Date.parse(startTime)).toBeLessThanOrEqual(366 * 86_400_000);
  }
  expect(spanOf('3m', now).startTime).toBe(local(2026, 7, 21));
});

test('points are minutes with two decimals under readable dates', () => {
  const series = { total: 65_000, data: [{ time: local(2026, 10, 20), value: 65_000 }] };
  expect(minutesOf(series, 'days')).toEqual([{ label: '20 Nov', value: 1.08 }]);
});
