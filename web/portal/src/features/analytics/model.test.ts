import { expect, test } from 'vitest';
import { changeOf } from './change.ts';
import { averageOf, byInterval, minutesOf, placeOf, ranges, retentionSteps, ticksOf, weekOf } from './model.ts';
import { rangeOf, spanBefore, spanOf } from './ranges.ts';

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
  const time = '2026-11-19T23:00:00Z';
  expect(minutesOf(series, 'days', BERLIN)).toEqual([{ time, label: '20 Nov', value: 1.08 }]);
  expect(minutesOf(series, 'days', 'UTC')).toEqual([{ time, label: '19 Nov', value: 1.08 }]);
});

test('the range before has as many days, and ends where the range begins', () => {
  expect(spanBefore('7d', now, BERLIN)).toEqual({
    startTime: '2026-11-06T23:00:00.000Z',
    endTime: '2026-11-13T23:00:00.000Z',
  });
  // The clocks changed in between.
  expect(spanBefore('30d', now, BERLIN).startTime).toBe('2026-09-21T22:00:00.000Z');
});

test('a change is told in words', () => {
  expect(changeOf(4, 3, 'the week before')).toEqual({ text: '33% more than in the week before', direction: 'up' });
  expect(changeOf(19, 2, 'May')).toEqual({ text: '850% more than in May', direction: 'up' });
  expect(changeOf(20, 2, 'May')).toEqual({ text: '10 times May', direction: 'up' });
  expect(changeOf(25_999, 2, 'May')).toEqual({ text: '12,999 times May', direction: 'up' });
  expect(changeOf(97, 100, 'May')).toEqual({ text: '3% less than in May', direction: 'down' });
  expect(changeOf(5, 5, 'May')).toEqual({ text: 'The same as in May', direction: 'same' });
  expect(changeOf(5, 0, 'May')).toEqual({ text: 'None in May', direction: 'up' });
  expect(changeOf(4, 3, 'May', null)).toEqual({ text: '33% more than in May', direction: 'up' });
  expect(changeOf(4, 3, 'May', '2026-05-10T00:00:00.000Z')).toBe('Your plan does not show all of May');
});

test('an axis has whole numbers, also for small and for no values', () => {
  expect(ticksOf(0)).toEqual([0, 1]);
  expect(ticksOf(0.4)).toEqual([0, 1]);
  expect(ticksOf(3.8)).toEqual([0, 1, 2, 3, 4]);
  expect(ticksOf(17)).toEqual([0, 5, 10, 15, 20]);
  expect(ticksOf(1234)).toEqual([0, 500, 1000, 1500]);
});

test('the hours of the week begin on Monday, and those without watch time are 0', () => {
  const week = weekOf([{ weekday: 6, hour: 23, watchTimeMs: 7 }]);
  expect([week.length, week[0]?.length, week[6]?.[23], week[0]?.[0]]).toEqual([7, 24, 7, 0]);
});

test('a part is named by its time, its page or its share of the length', () => {
  const clock = (ms: number) => `${ms} ms`;
  expect(placeOf(50, 100, { durationMs: 200 }, clock)).toBe('100 ms');
  expect(placeOf(99, 100, { pages: 3 }, clock)).toBe('Page 3');
  expect(placeOf(25, 100, {}, clock)).toBe('25%');
});

test('an average is the mean of the bars, and none where it would tell nothing', () => {
  const bars = (...values: number[]) => values.map((value, day) => ({ time: `${day}`, label: '', value }));
  expect(averageOf(bars(2.5, 10))).toBe(6.25);
  expect(averageOf(bars(4))).toBeNull();
  expect(averageOf(bars(0, 0))).toBeNull();
});

test('days before are added to the interval with as late a day', () => {
  const from = (...starts: string[]) => starts.map((time) => ({ time: `${time}:00.000Z` }));
  const days = Array.from({ length: 30 }, (_, day) => day + 1);
  const sum = (first: number, last: number) => ((first + last) * (last - first + 1)) / 2;
  expect(byInterval(from('2026-03-01T00:00'), days)).toEqual([sum(1, 30)]);
  expect(byInterval(from('2026-02-27T00:00', '2026-03-01T00:00'), days)).toEqual([sum(1, 2), sum(3, 30)]);
  // Of Berlin, where the 29th has 23 hours.
  expect(byInterval(from('2026-03-28T23:00', '2026-03-29T22:00', '2026-03-30T22:00'), [1, 2, 3])).toEqual([1, 2, 3]);
  expect(byInterval(from('2026-03-01T00:00', '2026-03-02T00:00'), [7])).toEqual([7, 0]);
  expect(byInterval([], days)).toEqual([]);
});

test('a document is followed page by page, if it has few', () => {
  const clock = (ms: number) => `${ms} ms`;
  // Three people saw the first page alone, and two the second: both pages have a part of the border.
  const seen = (part: number) => (part < 33 ? 3 : part === 33 ? 5 : part < 67 ? 2 : 0);
  const retention = Array.from({ length: 100 }, (_, part) => ({ people: seen(part), plays: seen(part) }));
  const steps = retentionSteps({ retention, pages: 3 }, clock);
  expect(steps.map(({ place, people }) => `${place}: ${people}`)).toEqual(['Page 1: 3', 'Page 2: 2', 'Page 3: 0']);
  for (let pages = 1; pages <= 50; pages += 1) {
    const touched = retention.map((_, part) => ({ people: part, plays: part }));
    retentionSteps({ retention: touched, pages }, clock).forEach(({ people: part }, page) => {
      expect(part * pages).toBeGreaterThanOrEqual(page * 100);
      expect((part + 1) * pages).toBeLessThanOrEqual((page + 1) * 100);
    });
  }
  expect(retentionSteps({ retention, pages: 51 }, clock)).toHaveLength(100);
  expect(retentionSteps({ retention, durationMs: 200 }, clock)[50]).toEqual({ place: '100 ms', people: 2, plays: 2 });
});
