/** A bar chart of a series over time with its average, and its values as a table for screen readers. */
import { Skeleton, Text } from '@mantine/core';
import { Suspense } from 'react';
import { twoDecimals } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { averageOf, type ChartPoint } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import { DataTable } from './data-table.tsx';
import classes from './time-bars.module.css';

const BarChart = lazyPart(() => import('./bar-chart.tsx'), 'BarChart');

interface TimeBarsProps {
  title: string;
  points: readonly ChartPoint[];
  /** What each point is compared with. */
  before?: readonly number[] | undefined;
  height?: number;
  /** Formats a value without its unit, as in the table. */
  figure: (value: number) => string;
  /** Formats a value with its unit; the figure alone by default. */
  format?: (value: number) => string;
  color?: string;
}

export function TimeBars({ title, points, before, height = 300, figure, format = figure, color }: TimeBarsProps) {
  const average = averageOf(points);
  const head = [analyticsTexts.period, title, ...(before === undefined ? [] : [analyticsTexts.beforeReading])];
  return (
    <>
      <Suspense fallback={<Skeleton height={height} />}>
        <BarChart
          title={title}
          points={points}
          before={before}
          height={height}
          format={format}
          formatTick={(tick) => tick.toLocaleString()}
          {...(color === undefined ? {} : { color })}
        />
      </Suspense>
      {average !== null && (
        <Text c="dimmed" fz="xs" className={classes.legend ?? ''}>
          {analyticsTexts.average(twoDecimals(average))}
        </Text>
      )}
      <DataTable
        caption={title}
        head={head}
        rows={points.map(({ label, value }, index) => [
          label,
          figure(value),
          ...(before === undefined ? [] : [figure(before[index] ?? 0)]),
        ])}
      />
    </>
  );
}
