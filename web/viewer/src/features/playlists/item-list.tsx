/** All items of a playlist, with the current one marked. */
import { Link } from '@tanstack/react-router';
import type { ContentKind, ContentOut } from '@vitrine/api';
import type { IconName } from '~/shared/ui/icon.tsx';
import classes from './item-list.module.css';
import { describe } from './model.ts';
import { Thumbnail } from './thumbnail.tsx';

const ICONS: Record<ContentKind, IconName> = {
  video: 'play',
  audio: 'music',
  image: 'image',
  pdf: 'file',
  file: 'file',
  embed: 'play',
};

interface ItemListProps {
  orgId: string;
  playlistId: string;
  items: readonly ContentOut[];
  /** Index of the current item. */
  at: number;
}

export function ItemList({ orgId, playlistId, items, at }: ItemListProps) {
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
              <Thumbnail url={item.previewUrl} icon={ICONS[item.kind]} />
            </span>
            <span className={classes.words}>
              <span className={classes.title}>{item.title}</span>
              <span className={classes.meta}>{describe(item)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
