/** The image of a card, a generated cover or an icon, at 16:9 unless its class says otherwise. */
import { IconPhoto, type TablerIcon } from '@tabler/icons-react';
import type { ContentKind } from '@vitrine/api';
import { Cover } from '@vitrine/brand/cover';
import { Thumbnail as Image } from '@vitrine/brand/thumbnail';
import type { ReactNode } from 'react';
import classes from './thumbnail.module.css';

/** Browsers that know `auto` measure; for others, about the width of a card. */
const SIZES = 'auto, 400px';

interface ThumbnailProps {
  src: string;
  /** Documents show the top of their page. */
  kind?: ContentKind;
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
  kind,
  icon: Icon = IconPhoto,
  cover,
  around = (icon) => icon,
  mosaic,
  badge,
  className,
}: ThumbnailProps) {
  const drawn = <Icon size={32} stroke={1.4} className={classes.icon} aria-hidden />;
  return (
    <div className={[classes.frame, className ?? ''].join(' ')}>
      <Image
        url={src}
        sizes={SIZES}
        kind={kind}
        mosaic={mosaic}
        fallback={cover === undefined ? around(drawn) : <Cover uid={cover.uid} title={cover.title} />}
      />
      {badge !== undefined && <span className={classes.badge}>{badge}</span>}
    </div>
  );
}
