/** Connects a native media element to a tracker. */
import { type RefObject, useEffect } from 'react';
import type { BeatTracker } from './beat-tracker.ts';

/** Follows the element's events while mounted; unmounting closes the open section. */
export function useMediaTracking(ref: RefObject<HTMLMediaElement | null>, tracker: BeatTracker | undefined): void {
  useEffect(() => {
    const media = ref.current;
    if (media === null || tracker === undefined) return;
    return followMedia(media, tracker);
  }, [ref, tracker]);
}

/** Listens to the element and the page; returns a function that stops it. */
export function followMedia(media: HTMLMediaElement, tracker: BeatTracker): () => void {
  // After a failed load, the element reports 0; use the last known position.
  let last = media.currentTime * 1000;
  const position = () => {
    if (media.error === null) last = media.currentTime * 1000;
    return last;
  };
  const stop = new AbortController();
  const on = (name: string, act: () => void) => media.addEventListener(name, act, { signal: stop.signal });
  const learn = () => tracker.learn({ duration: media.duration * 1000 });
  learn();
  on('durationchange', learn);
  on('playing', () => tracker.play(position(), media.playbackRate));
  on('timeupdate', () => {
    if (!media.seeking && !media.paused) tracker.progress(position());
  });
  on('pause', () => {
    // At the end, the element fires 'pause' first; 'ended' follows and closes the view.
    if (!media.ended) tracker.pause(position());
  });
  on('ended', () => tracker.end(position()));
  on('seeking', () => tracker.seeking());
  on('seeked', () => tracker.seeked(position()));
  on('ratechange', () => tracker.rateChanged(position(), media.playbackRate));
  on('error', () => tracker.pause(position()));
  // It may have started before this listener was added.
  if (!media.paused && media.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) {
    tracker.play(position(), media.playbackRate);
  }
  const hidden = () => tracker.hidden(position());
  const changed = () => {
    if (document.visibilityState === 'hidden') hidden();
  };
  document.addEventListener('visibilitychange', changed, { signal: stop.signal });
  window.addEventListener('pagehide', hidden, { signal: stop.signal });
  return () => {
    stop.abort();
    tracker.pause(position());
  };
}
