/** The image of a card, or a fallback. */
import type { ContentKind } from '@vitrine/api';
import { Cover } from '@vitrine/brand/cover';
import { Icon, type IconName } from '@vitrine/brand/icon';
import { Thumbnail as Framed } from '@vitrine/brand/thumbnail';
import type { Wave } from '@vitrine/player/item-cover';
import { WaveCover } from '@vitrine/player/wave-cover';
import type { ReactNode } from 'react';

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
export function Thumbnail({ kind, cover, wave, ...image }: ThumbnailProps) {
  const icon = <Icon name={kind === undefined ? 'play' : ICONS[kind]} size={32} />;
  return (
    <Framed
      {...image}
      sizes={SIZES}
      kind={kind}
      fallback={
        cover !== undefined ? (
          <Cover uid={cover.uid} title={cover.title} />
        ) : wave !== undefined ? (
          <WaveCover wave={wave}>{icon}</WaveCover>
        ) : (
          icon
        )
      }
    />
  );
}
