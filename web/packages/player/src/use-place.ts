/** Reports the position of a native media element. */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { PlaybackPosition } from './player-props.ts';

/** Follows the element while mounted; unmounting and hiding the page report a position to save. */
export function useMediaPlace(
  ref: RefObject<HTMLMediaElement | null>,
  onPlace: ((place: PlaybackPosition) => void) | undefined,
): void {
  const report = useEffectEvent((place: PlaybackPosition) => onPlace?.(place));
  useEffect(() => {
    const media = ref.current;
    if (media === null) return;
    let settledAt = -1;
    const tell = (settled: boolean) => () => {
      // Before the media is loaded or after it failed, its position means nothing.
      if (media.readyState === 0 || media.error !== null || !media.played.length) return;
      const length = Number.isFinite(media.duration) ? Math.round(media.duration * 1000) : null;
      const position = Math.round(media.currentTime * 1000);
      // Leaving long after pausing is no newer position: another device may have moved on since.
      if (position === settledAt) return;
      settledAt = settled ? position : -1;
      report({ position, length, settled });
    };
    const stop = new AbortController();
    const { signal } = stop;
    media.addEventListener('timeupdate', tell(false), { signal });
    for (const name of ['pause', 'ended', 'seeked']) media.addEventListener(name, tell(true), { signal });
    const hidden = () => {
      if (document.visibilityState === 'hidden') tell(true)();
    };
    document.addEventListener('visibilitychange', hidden, { signal });
    window.addEventListener('pagehide', tell(true), { signal });
    return () => {
      stop.abort();
      tell(true)();
    };
  }, [ref]);
}

/** Reports one position whenever it changes, such as the page of a document; nothing while it is null. */
export function useShownPlace(
  onPlace: ((place: PlaybackPosition) => void) | undefined,
  position: number | null,
  length: number,
): void {
  const report = useEffectEvent((place: PlaybackPosition) => onPlace?.(place));
  useEffect(() => {
    if (position !== null) report({ position, length, settled: false });
  }, [position, length]);
}
