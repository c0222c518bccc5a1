/** A line shown while offline. */

import { Icon } from '@vitrine/brand/icon';
import { useSyncExternalStore } from 'react';
import { SHELL } from '../texts.ts';
import classes from './shell.module.css';

/** Empty while online. */
export function OfflineLine() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">
      {online ? null : (
        <p className={classes.offline}>
          <Icon name="offline" size={16} />
          {SHELL.offline}
        </p>
      )}
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
