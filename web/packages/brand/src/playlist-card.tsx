/** A playlist on the home of an organisation. */
import type { ReactNode } from 'react';
import classes from './playlist-card.module.css';

/** Classes of what is around the faces: the list, and the link of a card. */
export const playlistCard = { grid: classes.grid ?? '', link: classes.card ?? '' } as const;

interface PlaylistFaceProps {
  title: string;
  description: string;
  /** The number of its items, in words. */
  count: string;
  /** A `Thumbnail`. */
  image: ReactNode;
}

export function PlaylistFace({ title, description, count, image }: PlaylistFaceProps) {
  return (
    <>
      {image}
      <CardWords>
        <span className={classes.title}>{title}</span>
        {description === '' ? null : <span className={classes.description}>{description}</span>}
        <span className={classes.meta}>{count}</span>
      </CardWords>
    </>
  );
}

/** Below the image. */
export function CardWords({ children }: { children: ReactNode }) {
  return <span className={classes.words}>{children}</span>;
}
