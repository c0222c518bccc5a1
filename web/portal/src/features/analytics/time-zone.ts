/** Dates of the calendar in a time zone. */

/** Returns the first moment of a day in the zone: of today, or that many days and months before. */
export function dayStart(now: number, zone: string, back: { days?: number; months?: number } = {}): number {
  const [year, month, day] = partsOf(now, zone);
  const wanted = Date.UTC(year, month - 1 - (back.months ?? 0), day - (back.days ?? 0));
  // The offset of the zone may change between the guess and that day.
  const guess = wanted - offsetAt(wanted, zone);
  const start = wanted - offsetAt(guess, zone);
  // Where the clocks are put forward at midnight, the day begins an hour later.
  return partsOf(start, zone)[2] === new Date(wanted).getUTCDate() ? start : guess;
}

function offsetAt(time: number, zone: string): number {
  const [year, month, day, hour, minute, second] = partsOf(time, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - time;
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number];

function partsOf(time: number, timeZone: string): Parts {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });
  const [day, month, year, hour, minute, second] = format.format(time).match(/\d+/g)?.map(Number) ?? [];
  return [year ?? 0, month ?? 0, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0];
}
