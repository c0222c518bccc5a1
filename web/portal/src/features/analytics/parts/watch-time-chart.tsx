/** A watch-time chart, with its data as a table for screen readers. */
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import type { ChartPoint } from '../model.ts';
import { analyticsTexts } from '../texts.ts';

const MinutesChart = lazyPart(() => import('./minutes-chart.tsx'), 'MinutesChart');

interface WatchTimeChartProps {
  points: ChartPoint[];
  title: string;
  height?: number;
}

export function WatchTimeChart({ points, title, height = 300 }: WatchTimeChartProps) {
  return (
    <>
      <div aria-hidden>
        <Suspense fallback={<Skeleton height={height} />}>
          <MinutesChart points={points} height={height} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{analyticsTexts.chartCaption(title)}</caption>
          <tbody>
            {points.map(({ label, value }, index) => (
              <tr key={`${index.toString()}-${label}`}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}
