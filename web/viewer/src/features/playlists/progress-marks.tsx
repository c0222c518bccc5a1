/** Marks on a thumbnail: how far the person is, and whether the item or playlist was finished. */
import type { ItemProgressOut, PlaylistOut } from '@vitrine/api';
import { Icon } from '@vitrine/brand/icon';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import { seenShareOf, shareOf } from './model.ts';
import classes from './progress-marks.module.css';
import { PLAYLISTS } from './texts.ts';

/** Of an item; renders nothing if it was not opened. */
export function ProgressMarks({ progress }: { progress: ItemProgressOut | undefined }) {
  return <Marks share={shareOf(progress)} seen={progress?.seen === true} />;
}

/** Of a playlist: how much of it was seen. */
export function PlaylistMarks({ playlist, progress }: PlaylistMarksProps) {
  const share = seenShareOf(playlist.items, progress);
  return <Marks share={share < 1 ? share : 0} seen={share === 1} />;
}

interface PlaylistMarksProps {
  playlist: Pick<PlaylistOut, 'items'>;
  progress: ProgressByItem;
}

function Marks({ share, seen }: { share: number; seen: boolean }) {
  return (
    <>
      {seen ? (
        <span className={classes.seen}>
          <Icon name="check" size={16} />
          <span className="visually-hidden">{PLAYLISTS.seen}</span>
        </span>
      ) : null}
      {share > 0 ? (
        <span className={classes.bar}>
          <span style={{ width: `${share * 100}%` }} />
          <span className="visually-hidden">{PLAYLISTS.watched(Math.round(share * 100))}</span>
        </span>
      ) : null}
    </>
  );
}
