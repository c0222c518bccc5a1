/** Bars of one value per interval. Loaded when first shown. */
import { useWidth } from '~/shared/lib/width.ts';
import type { ChartPoint } from '../model.ts';
import { averageOf, ticksOf } from '../model.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './bar-chart.module.css';
import { useReading } from './use-reading.ts';

interface BarChartProps {
  title: string;
  points: readonly ChartPoint[];
  /** Values of the period before, drawn as marks over the bars. */
  before?: readonly number[] | undefined;
  height: number;
  /** Formats a value when it is read. */
  format: (value: number) => string;
  /** Formats the values of the axis. */
  formatTick: (value: number) => string;
  /** Palette color of the bars. */
  color?: string;
}

/** Room for the labels below and above the bars. */
const FOOT = 26;
const HEAD = 10;
/** Narrowest room for a label of the axis below. */
const LABEL_WIDTH = 72;
/** The width until it is measured. */
const UNMEASURED = 640;

export function BarChart({ title, points, before, height, format, formatTick, color = 'orange' }: BarChartProps) {
  const [measured, ref] = useWidth();
  const width = measured || UNMEASURED;
  const ticks = ticksOf(Math.max(0, ...points.map(({ value }) => value), ...(before ?? [])));
  const top = ticks.at(-1) ?? 1;
  const gutter = 12 + Math.max(...ticks.map((tick) => formatTick(tick).length)) * 7;
  const plot = { width: Math.max(0, width - gutter), height: height - FOOT - HEAD };
  const slot = plot.width / Math.max(points.length, 1);
  const y = (value: number) => HEAD + plot.height * (1 - value / top);
  const average = averageOf(points);
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / (slot || 1)));
  const { at, current, props } = useReading(points.length, (position) =>
    Math.floor((position * width - gutter) / slot),
  );
  const read = at === null ? undefined : points[at];
  const held = points[current];
  return (
    <div
      ref={ref}
      className={classes.chart}
      style={{ height }}
      {...props}
      role="slider"
      tabIndex={0}
      aria-label={analyticsTexts.readChart(title)}
      aria-valuemin={0}
      aria-valuemax={Math.max(points.length - 1, 0)}
      aria-valuenow={current}
      aria-valuetext={held === undefined ? '' : `${held.label}: ${format(held.value)}`}
    >
      <svg width={width} height={height} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={gutter}
              x2={width}
              y1={y(tick)}
              y2={y(tick)}
              className={tick === 0 ? classes.base : classes.grid}
            />
            <text x={gutter - 10} y={y(tick) + 4} className={classes.tick} textAnchor="end">
              {formatTick(tick)}
            </text>
          </g>
        ))}
        {points.map(({ time, label, value }, index) => {
          const left = gutter + slot * index;
          const bar = Math.min(slot * 0.66, 44);
          // The last label ends with the chart.
          const isLast = left + slot / 2 > width - LABEL_WIDTH / 2;
          return (
            <g key={time} data-read={index === at || undefined} className={classes.slot}>
              {index === at && (
                <rect x={left} y={HEAD} width={slot} height={plot.height} rx={4} className={classes.band} />
              )}
              <path
                d={barPath(left + (slot - bar) / 2, y(value), bar, HEAD + plot.height - y(value))}
                fill={`var(--vt-${color}-6)`}
                className={classes.bar}
              />
              {before?.[index] !== undefined && (
                <line
                  x1={left + (slot - bar) / 2 - 2}
                  x2={left + (slot + bar) / 2 + 2}
                  y1={y(before[index])}
                  y2={y(before[index])}
                  className={classes.before}
                />
              )}
              {index % every === 0 && (
                <text
                  x={isLast ? width : left + slot / 2}
                  y={height - 6}
                  className={classes.tick}
                  textAnchor={isLast ? 'end' : 'middle'}
                >
                  {label}
                </text>
              )}
            </g>
          );
        })}
        {average !== null && (
          <line x1={gutter} x2={width} y1={y(average)} y2={y(average)} className={classes.average} />
        )}
      </svg>
      {read !== undefined && at !== null && (
        <div
          className={classes.reading}
          aria-hidden="true"
          data-side={at > points.length / 2 ? 'left' : 'right'}
          style={{ left: gutter + slot * (at + 0.5) }}
        >
          <span className={classes.when}>{read.label}</span>
          <strong>{format(read.value)}</strong>
          {before?.[at] !== undefined && (
            <span className={classes.when}>{`${analyticsTexts.beforeReading}: ${format(before[at])}`}</span>
          )}
        </div>
      )}
    </div>
  );
}

/** A bar with rounded upper corners; a value of 0 has none. */
function barPath(x: number, y: number, width: number, height: number): string {
  if (height <= 0) return '';
  const shown = Math.max(height, 1.5);
  const radius = Math.min(4, width / 2, shown);
  const side = shown - radius;
  const roof = width - 2 * radius;
  return `M${x} ${y + height}v${-side}q0 ${-radius} ${radius} ${-radius}h${roof}q${radius} 0 ${radius} ${radius}v${side}z`;
}
