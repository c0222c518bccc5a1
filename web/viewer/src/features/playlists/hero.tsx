/** The first pinned playlist, across the top of Home. */
import { Link } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import { Icon } from '~/shared/ui/icon.tsx';
import classes from './hero.module.css';
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
    <Link to="/org/$orgId/playlists/$playlistId" params={{ orgId, playlistId: uid }} className={classes.hero}>
      <Thumbnail url={previewUrl} mosaic={itemPreviews} eager>
        <PlaylistMarks playlist={playlist} progress={progress} />
      </Thumbnail>
      <span className={classes.words}>
        <span className={classes.title}>{title}</span>
        {description === '' ? null : <span className={classes.description}>{description}</span>}
        <span className={classes.line}>
          <span className={classes.play}>
            <Icon name="play" size={18} />
            {PLAYLISTS.open}
          </span>
          <span className={classes.count}>{countItems(stats.contentCount)}</span>
        </span>
      </span>
    </Link>
  );
}
