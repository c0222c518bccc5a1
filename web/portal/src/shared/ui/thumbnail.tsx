/** A preview image with a fixed aspect ratio and a generated fallback. */
import { IconPhoto, type TablerIcon } from '@tabler/icons-react';
import { Cover } from '@vitrine/brand/cover';
import { imageSet } from '@vitrine/brand/image-sizes';
import { Mosaic } from '@vitrine/brand/mosaic';
import { type ReactNode, useState } from 'react';
import classes from './thumbnail.module.css';

/** Browsers that know `auto` measure; for others, about the width of a card. */
const SIZES = 'auto, 400px';

interface ThumbnailProps {
  src: string;
  /** Fallback icon if there is no image or it cannot be loaded. */
  icon?: TablerIcon;
  /** Generated cover to use as the fallback instead of the icon. */
  cover?: { uid: string; title: string };
  /** Shown around the icon if there is neither an image nor a cover, such as a waveform once it is loaded. */
  around?: (icon: ReactNode) => ReactNode;
  /** Images of the items of a playlist without a thumbnail. */
  mosaic?: readonly string[];
  /** Overlaid in the lower right corner, such as a duration. */
  badge?: ReactNode;
  className?: string;
}

/** Decorative: the adjacent title names it. */
export function Thumbnail({
  src,
  icon: Icon = IconPhoto,
  cover,
  around = (icon) => icon,
  mosaic = [],
  badge,
  className,
}: ThumbnailProps) {
  const [broken, setBroken] = useState<readonly string[]>([]);
  const fails = (image: string) => setBroken((before) => [...before, image]);
  const tiles = mosaic.filter((image) => !broken.includes(image));
  const drawn = <Icon size={32} stroke={1.4} className={classes.icon} aria-hidden />;
  return (
    <div className={[classes.frame, className ?? ''].join(' ')}>
      {src !== '' && !broken.includes(src) ? (
        <img
          {...imageSet(src, 'thumbnail', SIZES)}
          alt=""
          loading="lazy"
          decoding="async"
          className={classes.image}
          onError={() => fails(src)}
        />
      ) : tiles.length > 0 ? (
        <Mosaic images={tiles} onBroken={fails} />
      ) : cover !== undefined ? (
        <Cover uid={cover.uid} title={cover.title} />
      ) : (
        around(drawn)
      )}
      {badge !== undefined && <span className={classes.badge}>{badge}</span>}
    </div>
  );
}
