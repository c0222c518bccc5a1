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
    let seen = now();
    const follow = () => {
      if (document.visibilityState === 'visible') tracker.play(seen);
      else tracker.suspend(seen);
    };
    const leave = () => tracker.suspend(seen);
    const look = () => {
      const next = now();
      if (next === seen) tracker.progress(seen);
      else tracker.turn(next);
      seen = next;
    };
    follow();
    const timer = setInterval(look, LOOK_EVERY_MS);
    document.addEventListener('visibilitychange', follow);
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('pagehide', leave);
      tracker.pause(seen);
    };
  }, [tracker, ready]);
}
