/** All items of a playlist, with the current one marked. */
import { Link } from '@tanstack/react-router';
import type { ContentOut } from '@vitrine/api';
import { coverOfItem } from '@vitrine/player/item-cover';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import classes from './item-list.module.css';
import { describe } from './model.ts';
import { ProgressMarks } from './progress-marks.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface ItemListProps {
  orgId: string;
  playlistId: string;
  items: readonly ContentOut[];
  /** Index of the current item. */
  at: number;
  progress: ProgressByItem;
}

export function ItemList({ orgId, playlistId, items, at, progress }: ItemListProps) {
  return (
    <ol className={classes.list}>
      {items.map((item, index) => (
        <li key={item.uid}>
          <Link
            to="/org/$orgId/playlists/$playlistId"
            params={{ orgId, playlistId }}
            search={{ item: item.uid }}
            replace
            className={classes.item}
            aria-current={index === at ? 'true' : undefined}
          >
            <span className={classes.image}>
              <Thumbnail url={item.previewUrl} kind={item.kind} {...coverOfItem(item)}>
                <ProgressMarks progress={progress.get(item.uid)} />
              </Thumbnail>
            </span>
            <span className={classes.words}>
              <span className={classes.title}>{item.title}</span>
              <span className={classes.meta}>{describe(item, progress.get(item.uid)?.length)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
