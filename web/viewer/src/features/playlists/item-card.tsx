/** An item on a card, opened in its playlist. */
import { Link } from '@tanstack/react-router';
import type { ShownItemOut } from '@vitrine/api';
import { coverOfItem } from '@vitrine/player/item-cover';
import type { ProgressByItem } from '~/features/watch/progress.ts';
import classes from './item-card.module.css';
import { describe } from './model.ts';
import { ProgressMarks } from './progress-marks.tsx';
import { Thumbnail } from './thumbnail.tsx';

interface ItemsProps {
  orgId: string;
  items: readonly ShownItemOut[];
  progress: ProgressByItem;
  /** A row that scrolls sideways, or a grid. */
  as?: 'rail' | 'grid';
}

/** The cards, marked up as a list for screen readers. */
export function ItemCards({ orgId, items, progress, as = 'rail' }: ItemsProps) {
  return (
    <ul className={classes[as]}>
      {items.map(({ content, playlistId, playlistTitle }) => (
        <li key={content.uid}>
          <Link
            to="/org/$orgId/playlists/$playlistId"
            params={{ orgId, playlistId }}
            search={{ item: content.uid }}
            className={classes.card}
          >
            <span className={classes.image}>
              <Thumbnail url={content.previewUrl} kind={content.kind} {...coverOfItem(content)}>
                <ProgressMarks progress={progress.get(content.uid)} />
              </Thumbnail>
            </span>
            <span className={classes.title}>{content.title}</span>
            <span className={classes.meta}>
              {[describe(content, progress.get(content.uid)?.length), playlistTitle].join(' · ')}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
