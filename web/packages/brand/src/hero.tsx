/** The first pinned playlist, across the top of an organisation's home. */
import type { ReactNode } from 'react';
import classes from './hero.module.css';
import { Icon } from './icon.tsx';

/** Classes of what is around the face: the link, and the place of the link. */
export const hero = { place: classes.place ?? '', link: classes.hero ?? '' } as const;

interface HeroFaceProps {
  title: string;
  description: string;
  /** The number of its items, in words. */
  count: string;
  /** What it says in place of a button; the whole face is a link. */
  open: string;
  /** A `Thumbnail`. */
  image: ReactNode;
}

export function HeroFace({ title, description, count, open, image }: HeroFaceProps) {
  return (
    <>
      {image}
      <span className={classes.words}>
        <span className={classes.title}>{title}</span>
        {description === '' ? null : <span className={classes.description}>{description}</span>}
        <span className={classes.line}>
          <span className={classes.play}>
            <Icon name="play" size={18} />
            {open}
          </span>
          <span className={classes.count}>{count}</span>
        </span>
      </span>
    </>
  );
}
