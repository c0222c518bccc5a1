/** The image of a card, or a fallback. */
import type { ContentKind } from '@vitrine/api';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Mosaic } from '@vitrine/brand/mosaic';
import { type Wave, WaveCover } from '@vitrine/player/wave-cover';
import { coverOf } from '@vitrine/tokens/cover';
import { type ReactNode, useState } from 'react';
import { Icon, type IconName } from '~/shared/ui/icon.tsx';
import classes from './thumbnail.module.css';

/** Browsers that know `auto` measure; for others, a card on a phone. */
const SIZES = 'auto, (min-width: 48em) 400px, 100vw';

const ICONS: Record<ContentKind, IconName> = {
  video: 'play',
  audio: 'music',
  image: 'image',
  pdf: 'file',
  file: 'file',
  embed: 'play',
};

interface ThumbnailProps {
  url: string;
  /** Decides the fallback icon; documents show the top of their page. */
  kind?: ContentKind;
  /** Generated cover to use as the fallback instead of the icon. */
  cover?: { uid: string; title: string };
  /** Waveform of audio to use as the fallback. */
  wave?: Wave | undefined;
  /** Images of the items of a playlist without a thumbnail. */
  mosaic?: readonly string[];
  /** The largest image of the screen, loaded first. */
  eager?: boolean;
  /** Marks on top of the image. */
  children?: ReactNode;
}

/** Decorative: the title is next to it. An image that fails to load is replaced by the fallback. */
export function Thumbnail({ url, kind, cover, wave, mosaic = [], eager = false, children }: ThumbnailProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const fails = (image: string) => setBroken((before) => [...before, image]);
  const icon = <Icon name={kind === undefined ? 'play' : ICONS[kind]} size={32} />;
  const tiles = mosaic.filter((image) => !broken.includes(image));
  return (
    <span className={classes.frame} data-kind={kind}>
      {url !== '' && !broken.includes(url) ? (
        <img
          {...imageSet(url, 'thumbnail', SIZES)}
          alt=""
          {...(eager ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
          onError={() => fails(url)}
        />
      ) : tiles.length > 0 ? (
        <Mosaic images={tiles} eager={eager} onBroken={fails} />
      ) : cover !== undefined ? (
        <Drawn {...cover} />
      ) : wave !== undefined ? (
        <WaveCover wave={wave}>{icon}</WaveCover>
      ) : (
        icon
      )}
      {children}
    </span>
  );
}

function Drawn({ uid, title }: { uid: string; title: string }) {
  const { hue, figure, letters } = coverOf(uid, title);
  return (
    <span className="vt-cover" data-hue={hue} data-figure={figure} aria-hidden>
      <span>{letters}</span>
    </span>
  );
}
