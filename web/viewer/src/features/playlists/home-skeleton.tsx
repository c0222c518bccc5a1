/** Home while it is loading. */
import { hero } from '@vitrine/brand/hero';
import { thumbnailFrame } from '@vitrine/brand/thumbnail';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import { PlaylistGridSkeleton } from './playlist-card.tsx';
import { PLAYLISTS } from './texts.ts';

/** `hero` shows the place of the first pinned playlist. */
export function HomeSkeleton({ hero: pinned }: { hero: boolean }) {
  return (
    <Loading label={PLAYLISTS.loadingPlaylists}>
      {pinned ? (
        <div className={hero.place}>
          <div className={hero.link}>
            <span className={thumbnailFrame} />
          </div>
        </div>
      ) : null}
      <Skeleton height="20px" width="160px" />
      <br />
      <PlaylistGridSkeleton count={6} />
    </Loading>
  );
}
