/** Small bars beside a figure. Decorative: the figure and its change say the same in words. */
import classes from './spark.module.css';

interface SparkProps {
  values: readonly number[];
  /** Palette color. */
  color?: string;
}

/** More bars could not be told apart. */
const MOST = 61;

export function Spark({ values: all, color = 'orange' }: SparkProps) {
  const values = grouped(all, MOST);
  const top = Math.max(1, ...values);
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${Math.max(values.length, 1) * 4} 32`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.map((value, index) => {
        const height = value > 0 ? Math.max((value / top) * 31, 1.5) : 1;
        return (
          <rect
            // Days have no other identity here, and never move.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            x={index * 4 + 0.5}
            y={32 - height}
            width={3}
            height={height}
            fill={value > 0 ? `var(--vt-${color}-6)` : 'var(--vt-hairline)'}
          />
        );
      })}
    </svg>
  );
}

/** Adds up neighbors, so that at most that many values remain. */
function grouped(values: readonly number[], most: number): readonly number[] {
  const size = Math.ceil(values.length / most);
  if (size <= 1) return values;
  return Array.from({ length: Math.ceil(values.length / size) }, (_, group) =>
    values.slice(group * size, (group + 1) * size).reduce((sum, value) => sum + value, 0),
  );
}
