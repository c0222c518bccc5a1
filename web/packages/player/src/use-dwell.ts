/** Beats for things that do not play: the time they are open and the tab is visible. */
import { useEffect } from 'react';
import type { BeatTracker } from './beat-tracker.ts';

const LOOK_EVERY_MS = 1000;

/** Tracks from the moment `ready` is true until the component goes. */
export function useDwell(tracker: BeatTracker | undefined, ready: boolean): void {
  useEffect(() => {
    if (tracker === undefined || !ready) return;
    const follow = () => {
      if (document.visibilityState === 'visible') tracker.play(0);
      else tracker.suspend(0);
    };
    const leave = () => tracker.suspend(0);
    follow();
    const timer = setInterval(() => tracker.progress(0), LOOK_EVERY_MS);
    document.addEventListener('visibilitychange', follow);
    window.addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', follow);
      window.removeEventListener('pagehide', leave);
      tracker.pause(0);
    };
  }, [tracker, ready]);
}
