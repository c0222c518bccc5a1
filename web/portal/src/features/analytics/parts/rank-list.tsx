/** Content or playlists in order of their views, each with a bar for its share of the first. */
import { Anchor, Skeleton, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { count, exactMinutes } from '~/shared/lib/format.ts';
import { EmptyState } from '~/shared/ui/state.tsx';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { analyticsTexts } from '../texts.ts';
import classes from './rank-list.module.css';

/** One row. */
export interface Ranked {
  id: string;
  title: string;
  previewUrl: string;
  views: number;
  watchTimeMs: number;
  /** Shown after the watch time. */
  more?: string | undefined;
}

interface RankListProps {
  label: string;
  /** Undefined while loading. */
  rows: readonly Ranked[] | undefined;
  /** The page of a row. */
  linkTo: (id: string) => string;
  /** Playlists have generated covers. */
  covers?: boolean;
}

export function RankList({ label, rows, linkTo, covers = false }: RankListProps) {
  if (rows === undefined) return <RankSkeleton />;
  if (rows.length === 0) {
    return <EmptyState icon={IconPlayerPlay} title={analyticsTexts.noViews} hint={analyticsTexts.noViewsHint} />;
  }
  const most = Math.max(1, ...rows.map(({ views }) => views));
  return (
    <ol className={classes.list} aria-label={label}>
      {rows.map(({ id, title, previewUrl, views, watchTimeMs, more }) => (
        <li key={id} className={classes.row}>
          <Thumbnail
            src={previewUrl}
            icon={IconPlayerPlay}
            className={classes.image ?? ''}
            {...(covers ? { cover: { uid: id, title } } : {})}
          />
          <div className={classes.words}>
            <Anchor component={Link} to={linkTo(id)} className={classes.title ?? ''}>
              {title}
            </Anchor>
            <Text c="dimmed" fz="xs" className="tabular">
              {[analyticsTexts.views(Math.max(0, views)), analyticsTexts.minutes(exactMinutes(watchTimeMs)), more]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            <span className={classes.track} aria-hidden="true">
              <span style={{ width: `${(Math.max(0, views) / most) * 100}%` }} />
            </span>
          </div>
          <Text fw={600} className={classes.views ?? ''} aria-hidden="true">
            {count(views)}
          </Text>
        </li>
      ))}
    </ol>
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
