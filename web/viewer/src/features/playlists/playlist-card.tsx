/** A playlist on the home screen. */
import { Link } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import { CardWords, PlaylistFace, playlistCard } from '@vitrine/brand/playlist-card';
import { thumbnailFrame } from '@vitrine/brand/thumbnail';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import { countItems } from './model.ts';
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
    <ul className={playlistCard.grid}>
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
    <Link to="/org/$orgId/playlists/$playlistId" params={{ orgId, playlistId: uid }} className={playlistCard.link}>
      <PlaylistFace
        title={title}
        description={description}
        count={countItems(stats.contentCount)}
        image={
          <Thumbnail url={previewUrl} mosaic={itemPreviews} cover={playlist}>
            <PlaylistMarks playlist={playlist} progress={progress} />
          </Thumbnail>
        }
      />
    </Link>
  );
}

/** Cards while loading. */
export function PlaylistGridSkeleton({ count }: { count: number }) {
  return (
    <Loading label={PLAYLISTS.loadingPlaylists}>
      <div className={playlistCard.grid}>
        {Array.from({ length: count }, (_, i) => `card-${i}`).map((key) => (
          <div key={key} className={playlistCard.link}>
            <span className={thumbnailFrame} />
            <CardWords>
              <Skeleton height="16px" width="70%" />
              <Skeleton height="12px" width="30%" />
            </CardWords>
          </div>
        ))}
      </div>
    </Loading>
  );
}
