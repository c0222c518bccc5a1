/** The picture of a card, or a quiet stand-in. */
import { coverOf } from '@vitrine/tokens/cover';
import { useState } from 'react';
import { Icon, type IconName } from '~/shared/ui/icon.tsx';
import classes from './thumbnail.module.css';

interface ThumbnailProps {
  url: string;
  icon?: IconName;
  /** Whose cover stands in instead of an icon. */
  cover?: { uid: string; title: string };
}

/** Decoration: the title stands beside it. A picture that does not load gives way to the stand-in. */
export function Thumbnail({ url, icon = 'play', cover }: ThumbnailProps) {
  const [broken, setBroken] = useState('');
  return (
    <span className={classes.frame}>
      {url !== '' && broken !== url ? (
        <img src={url} alt="" loading="lazy" onError={() => setBroken(url)} />
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
