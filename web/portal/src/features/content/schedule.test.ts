import { expect, test } from 'vitest';
import { closedBecause, scheduleChanges, scheduleRules } from './schedule.ts';

const EARLY = '2026-12-01T08:00:00.000Z';
const LATE = '2026-12-24T18:00:00.000Z';

test('only changed dates are sent, and a cleared one as null', () => {
  const stored = { publishAt: EARLY, expireAt: null };
  expect(scheduleChanges({ publishAt: EARLY, expireAt: '' }, stored)).toEqual({});
  expect(scheduleChanges({ publishAt: '', expireAt: LATE }, stored)).toEqual({ publishAt: null, expireAt: LATE });
});

test('the expiry has to follow the publication, and years have to be sensible', () => {
  const { publishAt, expireAt } = scheduleRules;
  expect(expireAt(EARLY, { publishAt: EARLY, expireAt: EARLY })).toBe(
    'The expiry date must be after the publish date.',
  );
  expect(expireAt(LATE, { publishAt: EARLY, expireAt: LATE })).toBeNull();
  expect(expireAt('', { publishAt: EARLY, expireAt: '' })).toBeNull();
  expect(expireAt(EARLY, { publishAt: '', expireAt: EARLY })).toBeNull();
  expect(publishAt('0026-12-01T08:00:00.000Z')).toBe('Choose a date between 2000 and 2100.');
  expect(publishAt('2100-01-01T00:00:00.000Z')).not.toBeNull();
  expect(publishAt(EARLY)).toBeNull();
});

test('dates are open from the publication until just before the expiry', () => {
  const dates = { publishAt: EARLY, expireAt: LATE };
  expect(closedBecause(dates, Date.parse(EARLY) - 1)).toBe('scheduled');
  expect(closedBecause(dates, Date.parse(EARLY))).toBeNull();
  expect(closedBecause(dates, Date.parse(LATE) - 1)).toBeNull();
  expect(closedBecause(dates, Date.parse(LATE))).toBe('expired');
  expect(closedBecause({}, 0)).toBeNull();
});
