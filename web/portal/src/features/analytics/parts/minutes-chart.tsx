/** A watch-time chart. Imports the chart library, so load it lazily. */
import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { ChartPoint } from '../model.ts';
import { analyticsTexts } from '../texts.ts';

interface MinutesChartProps {
  points: ChartPoint[];
  height: number;
}

export function MinutesChart({ points, height }: MinutesChartProps) {
  const still = useReducedMotion();
  return (
    <AreaChart
      h={height}
      data={points}
      dataKey="label"
      series={[{ name: 'value', label: analyticsTexts.minutesSeries, color: 'orange.6' }]}
      curveType="monotone"
      strokeWidth={2}
      withDots={points.length < 32}
      dotProps={{ r: 3 }}
      fillOpacity={0.14}
      gridColor="var(--vt-hairline)"
      tickLine="none"
      xAxisProps={{ minTickGap: 24, tickMargin: 10 }}
      yAxisProps={{ allowDecimals: true, width: 44, tickFormatter: String }}
      valueFormatter={analyticsTexts.minutes}
      areaChartProps={{ accessibilityLayer: false }}
      areaProps={{ isAnimationActive: still !== true, animationDuration: 180 }}
    />
  );
}
