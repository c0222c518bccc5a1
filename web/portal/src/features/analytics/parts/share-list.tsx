/** Names with amounts, each with a bar for its share of the whole: devices, countries, reasons. */
import { Skeleton, Text } from '@mantine/core';
import { percent } from '~/shared/lib/format.ts';
import classes from './share-list.module.css';

/** One row. */
export interface Share {
  key: string;
  label: string;
  hint?: string | undefined;
  /** The amount with its unit. */
  amount: string;
  /** Of the whole, from 0 to 1; absent if the amount is not part of it. */
  share?: number | undefined;
}

interface ShareListProps {
  label: string;
  rows: readonly Share[] | undefined;
  /** Shown if there are no rows. */
  empty: string;
  color?: string;
}

export function ShareList({ label, rows, empty, color = 'purple' }: ShareListProps) {
  if (rows === undefined) {
    return (
      <div className={classes.list} aria-busy="true">
        {Array.from({ length: 4 }, (_, row) => (
          <Skeleton key={row.toString()} height={14} width={`${90 - row * 15}%`} my={12} />
        ))}
      </div>
    );
  }
  if (rows.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <ul className={classes.list} aria-label={label}>
      {rows.map(({ key, label: name, hint, amount, share }) => (
        <li key={key}>
          <div className={classes.head}>
            <span className={classes.name}>{name}</span>
            <span className={classes.amount}>
              {amount}
              {share !== undefined && <span className={classes.share}>{percent(share)}</span>}
            </span>
          </div>
          {hint !== undefined && (
            <Text c="dimmed" fz="xs">
              {hint}
            </Text>
          )}
          {share !== undefined && (
            <span className={classes.track} aria-hidden="true">
              <span style={{ width: `${Math.min(1, share) * 100}%`, background: `var(--vt-${color}-6)` }} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
