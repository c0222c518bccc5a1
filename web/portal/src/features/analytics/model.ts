/** Choices of the reports, and chart points from series. */
import type { SeriesOut } from '@vitrine/api';
import { chartMinutes } from '~/shared/lib/format.ts';
import { locale } from '~/shared/lib/locale.ts';
import { rangeNames } from './ranges.ts';
import { analyticsTexts } from './texts.ts';

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

/** A chart point. */
export interface ChartPoint {
  label: string;
  value: number;
}

/** Converts a watch-time series to chart points in minutes. */
export function minutesOf(series: SeriesOut, unit: Unit, timeZone: string): ChartPoint[] {
  const format = new Intl.DateTimeFormat(locale, { ...labels[unit], timeZone });
  return series.data.map(({ time, value }) => ({ label: format.format(Date.parse(time)), value: chartMinutes(value) }));
}

const labels: Record<Unit, Intl.DateTimeFormatOptions> = {
  days: { day: 'numeric', month: 'short' },
  weeks: { day: 'numeric', month: 'short' },
  months: { month: 'short', year: 'numeric' },
  years: { year: 'numeric' },
};
