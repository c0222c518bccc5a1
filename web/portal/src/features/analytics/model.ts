/** Choices of the reports, and what charts and tables show of the answers. */
import type { SeriesOut } from '@vitrine/api';
import { chartMinutes } from '~/shared/lib/format.ts';
import { locale } from '~/shared/lib/locale.ts';
import { rangeNames } from './ranges.ts';
import { analyticsTexts } from './texts.ts';
import { daysBetween } from './time-zone.ts';

/** The date ranges to choose from. */
export const ranges = rangeNames.map((value) => ({ value, label: analyticsTexts.ranges[value] }));

/** Chart intervals; days by default. */
export const units = [
  { value: 'days', label: analyticsTexts.units.days },
  { value: 'weeks', label: analyticsTexts.units.weeks },
  { value: 'months', label: analyticsTexts.units.months },
  { value: 'years', label: analyticsTexts.units.years },
] as const;

/** A chart interval. */
export type Unit = (typeof units)[number]['value'];

/** A bar of a chart. */
export interface ChartPoint {
  /** Start of the interval. */
  time: string;
  label: string;
  value: number;
}

/** Adds each of the days before to the interval in which the day at the same place of the range lies. */
export function byInterval(intervals: readonly { time: string }[], days: readonly number[]): number[] {
  const times = intervals.map(({ time }) => Date.parse(time));
  const first = times.map((time) => daysBetween(times[0] ?? 0, time));
  return first.map((day, index) => days.slice(day, first[index + 1]).reduce((sum, value) => sum + value, 0));
}

/** Labels the intervals that begin at these times. */
export function labelled(
  data: readonly { time: string; value: number }[],
  timeZone: string,
  unit: Unit = 'days',
): ChartPoint[] {
  const format = new Intl.DateTimeFormat(locale, { ...labels[unit], timeZone });
  return data.map(({ time, value }) => ({ time, label: format.format(Date.parse(time)), value }));
}

/** Converts a watch-time series to chart points in minutes. */
export function minutesOf(series: Pick<SeriesOut, 'data'>, unit: Unit, timeZone: string): ChartPoint[] {
  return labelled(
    series.data.map(({ time, value }) => ({ time, value: chartMinutes(value) })),
    timeZone,
    unit,
  );
}

const labels: Record<Unit, Intl.DateTimeFormatOptions> = {
  days: { day: 'numeric', month: 'short' },
  weeks: { day: 'numeric', month: 'short' },
  months: { month: 'short', year: 'numeric' },
  years: { year: 'numeric' },
};

/** Formats the day of a time in a zone. */
export function dayIn(time: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone });
  return format.format(Date.parse(time));
}

/** Returns the mean of a chart's bars, or null if it would tell nothing: one bar, or none that is not 0. */
export function averageOf(points: readonly ChartPoint[]): number | null {
  const sum = points.reduce((total, { value }) => total + value, 0);
  return points.length > 1 && sum > 0 ? sum / points.length : null;
}

/** Returns round values from 0 to at least `max`: whole numbers, about four steps. */
export function ticksOf(max: number): number[] {
  const rough = Math.max(max, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= rough) ?? rough;
  const step = Math.max(1, Math.round(nice));
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Watch time of each hour of the week: seven rows of 24, Monday first. */
export function weekOf(hours: readonly { weekday: number; hour: number; watchTimeMs: number }[]): number[][] {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { weekday, hour, watchTimeMs } of hours) {
    const day = week[weekday];
    if (day !== undefined && hour in day) day[hour] = watchTimeMs;
  }
  return week;
}

/** Names of the weekdays, Monday first. */
export function weekdayNames(width: 'short' | 'long'): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: width, timeZone: 'UTC' });
  // A Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2024, 0, 1 + day)));
}

/** Names of the hours of a day. */
export function hourNames(): string[] {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
  return Array.from({ length: 24 }, (_, hour) => format.format(Date.UTC(2024, 0, 1, hour)));
}

/** How many watched a step of an item: one of its parts, or a page. */
export interface RetentionStep {
  place: string;
  people: number;
  plays: number;
}

interface Watched {
  retention: readonly { people: number; plays: number }[];
  durationMs?: number | null | undefined;
  pages?: number | null | undefined;
}

/** Returns the pages of a document that has at most half as many as there are parts, and otherwise the parts of the item. */
export function retentionSteps({ retention, ...item }: Watched, clock: (ms: number) => string): RetentionStep[] {
  const parts = retention.length;
  const pages = item.pages ?? 0;
  if (pages === 0 || pages * 2 > parts) {
    return retention.map((part, at) => ({ ...part, place: placeOf(at, parts, item, clock) }));
  }
  return Array.from({ length: pages }, (_, page) => {
    // The first part that lies wholly on the page: the one before it has the readers of the page before as well.
    const { people, plays } = retention[Math.ceil((page * parts) / pages)] ?? { people: 0, plays: 0 };
    return { place: analyticsTexts.page(page + 1), people, plays };
  });
}

/** Describes where a part of a content item is: a time, a page, or a share of the length. */
export function placeOf(
  part: number,
  parts: number,
  { durationMs, pages }: { durationMs?: number | null | undefined; pages?: number | null | undefined },
  clock: (ms: number) => string,
): string {
  if (typeof durationMs === 'number' && durationMs > 0) return clock((part / parts) * durationMs);
  if (typeof pages === 'number' && pages > 0) {
    return analyticsTexts.page(Math.min(pages, Math.floor((part / parts) * pages) + 1));
  }
  return analyticsTexts.ofLength(Math.round((part / parts) * 100));
}
