/** Dates of the calendar in a time zone. */
import { offsetAt } from '~/shared/lib/zoned.ts';

/** Returns the first moment of a day in the zone: of today, or that many days and months before. A month without
 * that day counts as if today were its last. */
export function dayStart(now: number, zone: string, back: { days?: number; months?: number } = {}): number {
  const today = clockOf(now, zone);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth() - (back.months ?? 0);
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const wanted = Date.UTC(year, month, Math.min(today.getUTCDate(), lastOfMonth) - (back.days ?? 0));
  // The offset of the zone may change between the guess and that day.
  const guess = wanted - offsetAt(wanted, zone);
  const start = wanted - offsetAt(guess, zone);
  // Where the clocks are put forward at midnight, the day begins an hour later.
  return clockOf(start, zone).getUTCDate() === new Date(wanted).getUTCDate() ? start : guess;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Returns the number of days between two midnights. It is rounded: a day on which the clock is changed has 23 or 25 hours. */
export function daysBetween(start: number, end: number): number {
  return Math.round((end - start) / DAY_MS);
}

/** Returns the end of the current hour in the zone, which may begin at another minute than the hours of UTC. */
export function hourEnd(now: number, zone: string): number {
  const offset = offsetAt(now, zone);
  return (Math.floor((now + offset) / HOUR_MS) + 1) * HOUR_MS - offset;
}

/** Returns the date whose parts in UTC are what a clock in the zone shows. */
function clockOf(time: number, zone: string): Date {
  return new Date(time + offsetAt(time, zone));
}
