/** The image of a card, or a fallback. */
import { imageSet } from '@vitrine/brand/image-sizes';
import { coverOf } from '@vitrine/tokens/cover';
import { useState } from 'react';
import { Icon, type IconName } from '~/shared/ui/icon.tsx';
import classes from './thumbnail.module.css';

/** Browsers that know `auto` measure; for others, a card on a phone. */
const SIZES = 'auto, (min-width: 48em) 400px, 100vw';

interface ThumbnailProps {
  url: string;
  icon?: IconName;
  /** Generated cover to use as the fallback instead of the icon. */
  cover?: { uid: string; title: string };
}

/** Decorative: the title is next to it. An image that fails to load is replaced by the fallback. */
export function Thumbnail({ url, icon = 'play', cover }: ThumbnailProps) {
  const [broken, setBroken] = useState('');
  return (
    <span className={classes.frame}>
      {url !== '' && broken !== url ? (
        <img {...imageSet(url, 'thumbnail', SIZES)} alt="" loading="lazy" onError={() => setBroken(url)} />
      ) : cover !== undefined ? (
        <Drawn {...cover} />
      ) : (
        <Icon name={icon} size={32} />
      )}
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
