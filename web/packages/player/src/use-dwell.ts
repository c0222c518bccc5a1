/** Beats for content that does not play: the time it is open in a visible tab. */
import { useEffect, useEffectEvent } from 'react';
import type { BeatTracker } from './beat-tracker.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Tracks from the moment `ready` is true until unmount. `page` is the current page of a document; pages only scrolled
 * past are not reported.
 */
export function useDwell(tracker: BeatTracker | undefined, ready: boolean, page = 0): void {
  const now = useEffectEvent(() => page);
  useEffect(() => {
    if (tracker === undefined || !ready) return;
    let current = now();
    const follow = () => {
      if (document.visibilityState === 'visible') tracker.play(current);
      else tracker.suspend(current);
    };
    const leave = () => tracker.suspend(current);
    const look = () => {
      const next = now();
      if (next === current) tracker.progress(current);
      else tracker.turn(next);
      current = next;
    };
    follow();
    const timer = setInterval(look, LOOK_EVERY_MS);
    document.addEventListener('visibilitychange', follow);
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('pagehide', leave);
      tracker.pause(current);
    };
  }, [tracker, ready]);
}
