/** Some of the playlists behind a joining link. */
import { useId } from 'react';
import { Cover } from './cover.tsx';
import classes from './glimpse.module.css';
import { imageSet } from './image-sizes.ts';

interface GlimpseProps {
  title: string;
  playlists: readonly { title: string; previewUrl: string; contentCount: number }[];
  /** Returns a number of items in words. */
  count: (items: number) => string;
  /** How wide an image is shown, as in the attribute of an image. */
  sizes?: string;
}

/** The playlists are not links: they open after joining. Renders nothing without playlists. */
export function Glimpse({ title, playlists, count, sizes = '160px' }: GlimpseProps) {
  const id = useId();
  if (playlists.length === 0) return null;
  return (
    <section className={classes.glimpse} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {playlists.map((playlist, place) => (
          // The order never changes, and two playlists may have the same title.
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          <li key={place}>
            {playlist.previewUrl === '' ? (
              // Images of its items are for people inside.
              <span className={classes.cover}>
                <Cover uid={playlist.title} title={playlist.title} />
              </span>
            ) : (
              <img
                className={classes.cover}
                {...imageSet(playlist.previewUrl, 'thumbnail', sizes)}
                alt=""
                loading="lazy"
              />
            )}
            <span className={classes.playlist}>{playlist.title}</span>
            <span className={classes.count}>{count(playlist.contentCount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
