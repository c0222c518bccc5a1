/** A figure of a period with small bars, and its change in words. */
import { Skeleton, Text } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import type { Change } from '../change.ts';
import { Spark } from './spark.tsx';
import classes from './trend-tile.module.css';

interface TrendTileProps {
  label: string;
  /** The figure; undefined while loading. */
  value: string | undefined;
  /** The change, or an explanation. */
  note?: Change | string | undefined;
  /** Values by day; undefined if the figure has none. */
  days?: readonly number[] | undefined;
  color?: string;
  /** The figure could not be loaded. */
  failed?: boolean;
  /** Whether bars will come, so that their room is kept. */
  bars?: boolean;
}

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconMinus } as const;

export function TrendTile({ label, value, note, days, color, failed = false, bars = false }: TrendTileProps) {
  const shown = value ?? (failed ? commonTexts.notAvailable : undefined);
  return (
    <Surface className={classes.tile ?? ''}>
      <Text c="dimmed" fz="sm">
        {label}
      </Text>
      {shown === undefined ? (
        <Skeleton height={24} width={92} my={6} />
      ) : (
        <Text className={`figure ${classes.figure}`}>{shown}</Text>
      )}
      <div className={classes.note}>
        {shown === undefined && typeof note !== 'string' ? (
          <Skeleton height={12} width="80%" my={3} />
        ) : (
          <Note note={note} />
        )}
      </div>
      {bars && (
        <div className={classes.bars}>
          {days === undefined ? (
            failed ? null : (
              <Skeleton height={40} />
            )
          ) : (
            <Spark values={days} {...(color ? { color } : {})} />
          )}
        </div>
      )}
    </Surface>
  );
}

function Note({ note }: { note: Change | string | undefined }) {
  if (note === undefined) return null;
  if (typeof note === 'string') {
    return (
      <Text c="dimmed" fz="xs">
        {note}
      </Text>
    );
  }
  const Arrow = arrows[note.direction];
  return (
    <Text fz="xs" component="div" className={classes.change} data-direction={note.direction}>
      <Arrow size={14} stroke={2} aria-hidden />
      <span>{note.text}</span>
    </Text>
  );
}
