/** Formatting of numbers, sizes, times and long names, in the person's locale. */
import { locale } from './locale.ts';
import { commonTexts } from './texts.ts';

const ELLIPSIS = '...';
const { sizeUnits, timeUnits } = commonTexts;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const hundredths = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const smallShare = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false });

/** Longest name shown in the sidebar. */
export const NAME_LENGTH = 18;
/** Longest description preview. */
export const DESCRIPTION_LENGTH = 70;

/** Cuts text longer than `max` code points and adds an ellipsis; never splits a surrogate pair. */
export function cut(text: string, max: number): string {
  const points = Array.from(text);
  return points.length > max ? points.slice(0, max).join('') + ELLIPSIS : text;
}

/** Formats a count; negative, empty or invalid counts show 0. */
export function count(value: number | null | undefined): string {
  return whole.format(typeof value === 'number' && value > 0 ? value : 0);
}

/** Formats a loaded count, or returns N/A if nothing was loaded. */
export function countOrNone(value: number | null | undefined, loaded: boolean): string {
  return loaded ? count(value) : commonTexts.notAvailable;
}

/** Formats milliseconds as rounded whole minutes, for cards and the dashboard. */
export function wholeMinutes(ms: number | null | undefined): string {
  return whole.format(typeof ms === 'number' && ms > 0 ? Math.round(ms / MINUTE_MS) : 0);
}

/** Converts milliseconds to minutes with at most two decimals, for charts. */
export function chartMinutes(ms: number): number {
  return Math.round((ms / MINUTE_MS) * 100) / 100;
}

/** Formats a number with two decimals, for reports. */
export function twoDecimals(value: number): string {
  return hundredths.format(value);
}

/** Formats milliseconds as minutes with two decimals, for reports. */
export function exactMinutes(ms: number): string {
  return twoDecimals(chartMinutes(Math.max(0, ms)));
}

/** Least share that is shown as a number. */
const LEAST_SHARE = 0.001;

/** Formats a share from 0 to 1 as a percentage; small ones have a decimal, so that few is not shown as none. */
export function percent(part: number): string {
  if (part > 0 && part < LEAST_SHARE / 2) return `<${smallShare.format(LEAST_SHARE)}`;
  return (part > 0 && part < 0.1 ? smallShare : share).format(part);
}

/** Formats a file size in base 1024 with at most two decimals; 0 shows '0 Bytes'. */
export function fileSize(bytes: number): string {
  if (!(bytes > 0)) return `0 ${sizeUnits[0]}`;
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), sizeUnits.length - 1);
  return `${size.format(bytes / 1024 ** power)} ${sizeUnits[power] ?? sizeUnits[0]}`;
}

/** Formats elapsed time: seconds below a minute, minutes below an hour, otherwise hours; all rounded down. */
export function timeAgo(iso: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  if (seconds < 60) return commonTexts.ago(plural(seconds, timeUnits.second));
  if (seconds < 3600) return commonTexts.ago(plural(Math.floor(seconds / 60), timeUnits.minute));
  return commonTexts.ago(plural(Math.floor(seconds / 3600), timeUnits.hour));
}

/** Formats a date. */
export function dateOf(iso: string): string {
  return date.format(Date.parse(iso));
}

/** Formats a date with its time on a clock in the zone. */
export function dayAndTime(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(Date.parse(iso));
}

/** Formats when something happened: relative within two days, otherwise the date. */
export function timeOrDate(iso: string, now: number): string {
  const time = Date.parse(iso);
  return now - time < 2 * DAY_MS ? timeAgo(iso, now) : date.format(time);
}

/** Formats a duration as m:ss or h:mm:ss. */
export function clock(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60];
  const tail = String(seconds).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** Formats a count with its noun: '1 view', '2 views'. */
export function plural(value: number, word: string, many = `${word}s`): string {
  return `${whole.format(value)} ${value === 1 ? word : many}`;
}

/** Returns up to two initials of a name, or '?' if it is empty. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.slice(0, 2).map((word) => Array.from(word)[0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
