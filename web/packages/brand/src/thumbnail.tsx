/** The image of a card, or a fallback. */
import type { ContentKind } from '@vitrine/api';
import { type ReactNode, useState } from 'react';
import { imageSet } from './image-sizes.ts';
import { Mosaic } from './mosaic.tsx';
import classes from './thumbnail.module.css';

interface ThumbnailProps {
  url: string;
  /** How wide it is shown, as in the attribute of an image. */
  sizes: string;
  /** Documents show the top of their page. */
  kind?: ContentKind | undefined;
  /** Images of the items of a playlist without a thumbnail. */
  mosaic?: readonly string[] | undefined;
  /** The largest image of the screen, loaded first. */
  eager?: boolean | undefined;
  /** Shown without an image, or if none can be loaded. */
  fallback: ReactNode;
  /** Marks on top of the image. */
  children?: ReactNode;
}

/** The class of its frame, for a placeholder. */
export const thumbnailFrame = classes.frame ?? '';

/** Decorative: the title is next to it. */
export function Thumbnail({ url, sizes, kind, mosaic = [], eager = false, fallback, children }: ThumbnailProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const fails = (image: string) => setBroken((before) => [...before, image]);
  const tiles = mosaic.filter((image) => !broken.includes(image));
  return (
    <span className={classes.frame} data-kind={kind}>
      {url !== '' && !broken.includes(url) ? (
        <img
          {...imageSet(url, 'thumbnail', sizes)}
          alt=""
          {...(eager ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
          onError={() => fails(url)}
        />
      ) : tiles.length > 0 ? (
        <Mosaic images={tiles} eager={eager} onBroken={fails} />
      ) : (
        fallback
      )}
      {children}
    </span>
  );
}
