/** Date ranges of the reports, and chart points from series. */
import type { SeriesOut } from '@vitrine/api';
import { chartMinutes } from '~/shared/lib/format.ts';
import { analyticsTexts } from './texts.ts';

/** The date ranges; the first is the default. */
export const ranges = [
  { value: '7d', label: analyticsTexts.ranges['7d'] },
  { value: '30d', label: analyticsTexts.ranges['30d'] },
  { value: '3m', label: analyticsTexts.ranges['3m'] },
  { value: '12m', label: analyticsTexts.ranges['12m'] },
] as const;

/** A date range. */
export type Range = (typeof ranges)[number]['value'];

/** Chart intervals; days by default. */
export const units = [
  { value: 'days', label: analyticsTexts.units.days },
  { value: 'weeks', label: analyticsTexts.units.weeks },
  { value: 'months', label: analyticsTexts.units.months },
  { value: 'years', label: analyticsTexts.units.years },
] as const;

/** A chart interval. */
export type Unit = (typeof units)[number]['value'];

/** Returns the range with that name, or the default. */
export function rangeOf(text: string | undefined): Range {
  return ranges.find(({ value }) => value === text)?.value ?? '7d';
}

/** Returns the span from local midnight of the first day to the end of the current hour, to include recent views. */
export function spanOf(range: Range, now: Date): { startTime: string; endTime: string } {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (range === '7d') start.setDate(start.getDate() - 6);
  else if (range === '30d') start.setDate(start.getDate() - 29);
  else {
    start.setMonth(start.getMonth() - (range === '3m' ? 3 : 12));
    start.setDate(start.getDate() + 1);
  }
  const end = new Date(now);
  end.setMinutes(60, 0, 0);
  return { startTime: start.toISOString(), endTime: end.toISOString() };
}

/** Returns the last 28 days, the range of a lead's charts. */
export function last28Days(now: Date): { startTime: string; endTime: string } {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 27);
  const end = new Date(now);
  end.setMinutes(60, 0, 0);
  return { startTime: start.toISOString(), endTime: end.toISOString() };
}

/** A chart point. */
export interface ChartPoint {
  label: string;
  value: number;
}

/** Converts a watch-time series to chart points in minutes. */
export function minutesOf(series: SeriesOut, unit: Unit): ChartPoint[] {
  return series.data.map(({ time, value }) => ({ label: labelOf(time, unit), value: chartMinutes(value) }));
}

function labelOf(iso: string, unit: Unit): string {
  const date = new Date(iso);
  if (unit === 'years') return String(date.getFullYear());
  return new Intl.DateTimeFormat(
    'en-GB',
    unit === 'months' ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' },
  ).format(date);
}
