/** Beats for things that do not play: the time they are open and the tab is visible. */
import { useEffect, useEffectEvent } from 'react';
import type { BeatTracker } from './beat-tracker.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Tracks from the moment `ready` is true until the component goes. `page` is the page of a document that is looked at;
 * one that was only passed by on the way to another is not told.
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
