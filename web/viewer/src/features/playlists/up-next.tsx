/** Over the player after an item has ended: the next one starts by itself unless cancelled. */
import type { ContentOut } from '@vitrine/api';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '~/shared/ui/button.tsx';
import { PLAYLISTS } from './texts.ts';
import classes from './up-next.module.css';

/** Seconds until the next item starts. */
export const COUNTDOWN_S = 5;

interface UpNextProps {
  next: Pick<ContentOut, 'title'>;
  onPlay: () => void;
  onCancel: () => void;
}

export function UpNext({ next, onPlay, onCancel }: UpNextProps) {
  const [left, setLeft] = useState(COUNTDOWN_S);
  const play = useEffectEvent(onPlay);
  useEffect(() => {
    if (left === 0) {
      play();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <div className={classes.cover}>
      <p role="status" className={classes.title}>
        {PLAYLISTS.upNext(next.title)}
      </p>
      {/* Hidden from screen readers, which would announce every second. */}
      <div aria-hidden="true" className={classes.countdown}>
        <svg
          aria-hidden="true"
          viewBox="0 0 64 64"
          className={classes.ring}
          style={{ animationDuration: `${COUNTDOWN_S}s` }}
        >
          <circle cx="32" cy="32" r="29" pathLength="1" />
        </svg>
        {left}
      </div>
      <div className={classes.buttons}>
        <Button tone="primary" onClick={onPlay}>
          {PLAYLISTS.playNow}
        </Button>
        <Button onClick={onCancel}>{PLAYLISTS.cancel}</Button>
      </div>
    </div>
  );
}
