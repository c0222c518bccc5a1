/** Times as a person sees them on a clock in a time zone. */

/** Returns the parts of an instant on a clock in the zone. */
function clockParts(time: number, timeZone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
}

/** Returns how far clocks in the zone are ahead of UTC, in milliseconds. */
export function offsetAt(time: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = clockParts(time, timeZone);
  const shown = Date.parse(`${year?.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return shown - Math.floor(time / 1000) * 1000;
}

/** Returns the value of a date-time field for an ISO time; empty for none. */
export function fieldOf(iso: string, timeZone: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  return new Date(time + offsetAt(time, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns the ISO time of a date-time field; empty if the field is. A time that clocks skip becomes the one an hour
 * later, and of a time that they show twice, the second is meant.
 */
export function isoOf(field: string, timeZone: string): string {
  const shown = Date.parse(`${field}Z`);
  if (Number.isNaN(shown)) return '';
  const guess = shown - offsetAt(shown, timeZone);
  return new Date(shown - offsetAt(guess, timeZone)).toISOString();
}
