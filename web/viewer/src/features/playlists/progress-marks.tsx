/** Marks on a thumbnail: how far the person is, and whether the item was finished. */
import type { ItemProgressOut } from '@vitrine/api';
import { Icon } from '~/shared/ui/icon.tsx';
import { shareOf } from './model.ts';
import classes from './progress-marks.module.css';
import { PLAYLISTS } from './texts.ts';

/** Renders nothing for an item that was not opened. */
export function ProgressMarks({ progress }: { progress: ItemProgressOut | undefined }) {
  const share = shareOf(progress);
  return (
    <>
      {progress?.seen ? (
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
