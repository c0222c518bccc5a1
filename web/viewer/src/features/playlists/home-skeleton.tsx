/** Home while it is loading. */
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import hero from './hero.module.css';
import { PlaylistGridSkeleton } from './playlist-card.tsx';
import { PLAYLISTS } from './texts.ts';
import thumbnail from './thumbnail.module.css';

/** `hero` shows the place of the first pinned playlist. */
export function HomeSkeleton({ hero: pinned }: { hero: boolean }) {
  return (
    <Loading label={PLAYLISTS.loadingPlaylists}>
      {pinned ? (
        <div className={hero.hero}>
          <span className={thumbnail.frame} />
        </div>
      ) : null}
      <Skeleton height="20px" width="160px" />
      <br />
      <PlaylistGridSkeleton count={6} />
    </Loading>
  );
}
