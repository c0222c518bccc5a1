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
      <p aria-hidden="true">{PLAYLISTS.startsIn(left)}</p>
      <div className={classes.buttons}>
        <Button tone="primary" onClick={onPlay}>
          {PLAYLISTS.playNow}
        </Button>
        <Button onClick={onCancel}>{PLAYLISTS.cancel}</Button>
      </div>
    </div>
  );
}
