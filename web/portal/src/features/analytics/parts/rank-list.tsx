/** Content or playlists in order of their views, each with a bar for its share of the first. */
import { Anchor, Skeleton, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TopContentOut, TopPlaylistOut } from '@vitrine/api';
import { contentKinds } from '~/features/content/model.ts';
import { ItemThumbnail } from '~/features/content/parts/item-thumbnail.tsx';
import { clock, count, exactMinutes } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { EmptyState } from '~/shared/ui/state.tsx';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { analyticsTexts } from '../texts.ts';
import classes from './rank-list.module.css';

/** One row. */
export type Ranked = (TopContentOut | TopPlaylistOut) & {
  /** Shown after the watch time. */
  more?: string | undefined;
};

interface RankListProps {
  label: string;
  /** Undefined while loading. */
  rows: readonly Ranked[] | undefined;
  /** The page of a row. */
  linkTo: (id: string) => string;
}

export function RankList({ label, rows, linkTo }: RankListProps) {
  if (rows === undefined) return <RankSkeleton />;
  if (rows.length === 0) {
    return <EmptyState icon={IconPlayerPlay} title={analyticsTexts.noViews} hint={analyticsTexts.noViewsHint} />;
  }
  const most = Math.max(1, ...rows.map(({ views }) => views));
  return (
    <ol className={classes.list} aria-label={label}>
      {rows.map((row) => (
        <li key={row.id} className={classes.row}>
          <Image row={row} />
          <div className={classes.words}>
            <Anchor component={Link} to={linkTo(row.id)} className={classes.title ?? ''}>
              {row.title}
            </Anchor>
            <Text c="dimmed" fz="xs" className="tabular">
              {wordsOf(row)}
            </Text>
            <span className={classes.track} aria-hidden="true">
              <span style={{ width: `${(Math.max(0, row.views) / most) * 100}%` }} />
            </span>
          </div>
          <Text fw={600} className={classes.views ?? ''} aria-hidden="true">
            {count(row.views)}
          </Text>
        </li>
      ))}
    </ol>
  );
}

/** What the row is: kind and length of an item, then its numbers. */
function wordsOf(row: Ranked): string {
  const { views, watchTimeMs, more } = row;
  const about = 'kind' in row ? [contentKinds[row.kind].label, lengthOf(row.durationMs)] : [];
  const numbers = [analyticsTexts.views(Math.max(0, views)), commonTexts.minutes(exactMinutes(watchTimeMs)), more];
  return [...about, ...numbers].filter(Boolean).join(' · ');
}

const lengthOf = (ms: number | null | undefined) => (typeof ms === 'number' ? clock(ms) : '');

function Image({ row }: { row: Ranked }) {
  const { id: uid, title, previewUrl } = row;
  const className = classes.image ?? '';
  return 'kind' in row ? (
    <ItemThumbnail item={{ ...row, uid }} className={className} />
  ) : (
    <Thumbnail src={previewUrl} mosaic={row.itemPreviews} cover={{ uid, title }} className={className} />
  );
}

function RankSkeleton() {
  return (
    <div className={classes.list} aria-busy="true">
      {Array.from({ length: 5 }, (_, row) => (
        <div key={row.toString()} className={classes.row}>
          <Skeleton className={classes.image ?? ''} height={40} />
          <div className={classes.words}>
            <Skeleton height={14} width="60%" my={3} />
            <Skeleton height={10} width="40%" my={4} />
          </div>
        </div>
      ))}
    </div>
  );
}
