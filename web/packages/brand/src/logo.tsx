/** An organisation's logo, or its initials. */

import { initials } from './colours.ts';
import { imageSet } from './image-sizes.ts';
import classes from './logo.module.css';

/** Decorative: the name is always next to it. */
export function Logo({ name, url, size = 36 }: { name: string; url: string; size?: number }) {
  const style = { width: size, height: size, fontSize: size * 0.38 };
  return url === '' ? (
    <span className={classes.letters} style={style} aria-hidden="true">
      {initials(name)}
    </span>
  ) : (
    <img className={classes.logo} style={style} {...imageSet(url, 'logo', `${size}px`)} alt="" />
  );
}
