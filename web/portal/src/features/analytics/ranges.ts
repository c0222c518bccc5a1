/** The date ranges of the reports. */
import { dayStart, daysBetween, hourEnd } from './time-zone.ts';

/** Names of the date ranges; the first is the default. */
export const rangeNames = ['7d', '30d', '3m', '12m'] as const;

/** A date range. */
export type Range = (typeof rangeNames)[number];

/** Returns the range with that name, or the default. */
export function rangeOf(text: string | undefined): Range {
  return rangeNames.find((name) => name === text) ?? '7d';
}

/** How long before today the ranges begin. */
const beginnings = {
  '7d': { days: 6 },
  '30d': { days: 29 },
  // A month begins on the day after the one with the same number.
  '3m': { months: 3, days: -1 },
  '12m': { months: 12, days: -1 },
  /** The range of a lead's charts, and of the home screen. */
  '28d': { days: 27 },
} as const;

/** Start and end of a range, as the API takes them. */
export interface Span {
  startTime: string;
  endTime: string;
}

/** Returns the span from midnight of the first day in the zone to the end of the current hour, to include recent views. */
export function spanOf(range: Range | '28d', now: number, zone: string): Span {
  return {
    startTime: new Date(dayStart(now, zone, beginnings[range])).toISOString(),
    endTime: new Date(hourEnd(now, zone)).toISOString(),
  };
}

/** Returns the span of the same number of days before, as whole days of the zone. */
export function spanBefore(range: Range, now: number, zone: string): Span {
  const { startTime } = spanOf(range, now, zone);
  const start = Date.parse(startTime);
  const days = daysBetween(start, dayStart(now, zone, { days: -1 }));
  return { startTime: new Date(dayStart(start, zone, { days })).toISOString(), endTime: startTime };
}
