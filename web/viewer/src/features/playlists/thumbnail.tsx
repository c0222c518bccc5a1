/** The picture of a card, or a quiet stand-in. */
import { useState } from 'react';
import { Icon, type IconName } from '~/shared/ui/icon.tsx';
import classes from './thumbnail.module.css';

/** Decoration: the title stands beside it. A picture that does not load gives way to the stand-in. */
export function Thumbnail({ url, icon = 'play' }: { url: string; icon?: IconName }) {
  const [broken, setBroken] = useState('');
  return (
    <span className={classes.frame}>
      {url === '' || broken === url ? (
        <Icon name={icon} size={32} />
      ) : (
        <img src={url} alt="" loading="lazy" onError={() => setBroken(url)} />
      )}
    </span>
  );
}
