/** A playlist on the home screen. */
import { Link } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import { countItems } from './model.ts';
import classes from './playlist-card.module.css';
import { PlaylistMarks } from './progress-marks.tsx';
import { PLAYLISTS } from './texts.ts';
import { Thumbnail } from './thumbnail.tsx';

interface PlaylistGridProps {
  playlists: readonly PlaylistOut[];
  progress: ProgressByItem;
}

/** The grid of cards, marked up as a list for screen readers. */
export function PlaylistGrid({ playlists, progress }: PlaylistGridProps) {
  return (
    <ul className={classes.grid}>
      {playlists.map((playlist) => (
        <li key={playlist.uid}>
          <PlaylistCard playlist={playlist} progress={progress} />
        </li>
      ))}
    </ul>
  );
}

function PlaylistCard({ playlist, progress }: { playlist: PlaylistOut; progress: PlaylistGridProps['progress'] }) {
  const { orgId, uid, title, previewUrl, itemPreviews, description, stats } = playlist;
  return (
    <Link to="/org/$orgId/playlists/$playlistId" params={{ orgId, playlistId: uid }} className={classes.card}>
      <Thumbnail url={previewUrl} mosaic={itemPreviews} cover={playlist}>
        <PlaylistMarks playlist={playlist} progress={progress} />
      </Thumbnail>
      <span className={classes.words}>
        <span className={classes.title}>{title}</span>
        {description === '' ? null : <span className={classes.description}>{description}</span>}
        <span className={classes.meta}>{countItems(stats.contentCount)}</span>
      </span>
    </Link>
  );
}

/** Cards while loading. */
export function PlaylistGridSkeleton({ count }: { count: number }) {
  return (
    <Loading label={PLAYLISTS.loadingPlaylists}>
      <div className={classes.grid}>
        {Array.from({ length: count }, (_, i) => `card-${i}`).map((key) => (
          <div key={key} className={classes.card}>
            <span className={classes.frame} />
            <span className={classes.words}>
              <Skeleton height="16px" width="70%" />
              <Skeleton height="12px" width="30%" />
            </span>
          </div>
        ))}
      </div>
    </Loading>
  );
}
