/** What stays on the screen, faded, while what replaces it loads. */
import type { ReactNode } from 'react';
import classes from './outdated.module.css';

export function Outdated({ when, children }: { when: boolean; children: ReactNode }) {
  return (
    <div className={classes.outdated} aria-busy={when}>
      {children}
    </div>
  );
}
