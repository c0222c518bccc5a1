/** The first pinned playlist, across the top of Home. */
import { Link } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import { HeroFace, hero } from '@vitrine/brand/hero';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import { countItems } from './model.ts';
import { PlaylistMarks } from './progress-marks.tsx';
import { PLAYLISTS } from './texts.ts';
import { Thumbnail } from './thumbnail.tsx';

interface HeroProps {
  playlist: PlaylistOut;
  progress: ProgressByItem;
}

export function Hero({ playlist, progress }: HeroProps) {
  const { orgId, uid, title, description, previewUrl, itemPreviews, stats } = playlist;
  return (
    <div className={hero.place}>
      <Link to="/org/$orgId/playlists/$playlistId" params={{ orgId, playlistId: uid }} className={hero.link}>
        <HeroFace
          title={title}
          description={description}
          count={countItems(stats.contentCount)}
          open={PLAYLISTS.open}
          image={
            <Thumbnail url={previewUrl} mosaic={itemPreviews} eager>
              <PlaylistMarks playlist={playlist} progress={progress} />
            </Thumbnail>
          }
        />
      </Link>
    </div>
  );
}
