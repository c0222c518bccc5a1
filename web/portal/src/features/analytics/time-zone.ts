/** Dates of the calendar in a time zone. */
import { offsetAt } from '~/shared/lib/zoned.ts';

/** Returns the first moment of a day in the zone: of today, or that many days and months before. */
export function dayStart(now: number, zone: string, back: { days?: number; months?: number } = {}): number {
  const today = clockOf(now, zone);
  const wanted = Date.UTC(
    today.getUTCFullYear(),
    today.getUTCMonth() - (back.months ?? 0),
    today.getUTCDate() - (back.days ?? 0),
  );
  // The offset of the zone may change between the guess and that day.
  const guess = wanted - offsetAt(wanted, zone);
  const start = wanted - offsetAt(guess, zone);
  // Where the clocks are put forward at midnight, the day begins an hour later.
  return clockOf(start, zone).getUTCDate() === new Date(wanted).getUTCDate() ? start : guess;
}

/** Returns the date whose parts in UTC are what a clock in the zone shows. */
function clockOf(time: number, zone: string): Date {
  return new Date(time + offsetAt(time, zone));
}
