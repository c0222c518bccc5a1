/** Lock-screen controls: metadata and actions of the Media Session API. */
import { type RefObject, useEffect, useEffectEvent } from 'react';
import type { PlayerSession } from './player-props.ts';

/** Seconds of a jump, unless the system names its own. */
export const JUMP_S = 10;

/** Registers the element while mounted. Browsers without the API ignore it. */
export function useMediaSession(
  ref: RefObject<HTMLMediaElement | null>,
  title: string,
  poster: string | undefined,
  session: PlayerSession | undefined,
): void {
  const artist = session?.artist;
  const [hasNext, hasPrevious] = [session?.onNext !== undefined, session?.onPrevious !== undefined];
  const next = useEffectEvent(() => session?.onNext?.());
  const previous = useEffectEvent(() => session?.onPrevious?.());
  useEffect(() => {
    const media = ref.current;
    if (media === null || artist === undefined || !('mediaSession' in navigator)) return;
    const { mediaSession } = navigator;
    const artwork = poster ? [{ src: new URL(poster, window.location.href).href }] : [];
    mediaSession.metadata = new MediaMetadata({ title, artist, artwork });
    const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
      ['play', () => void media.play().catch(() => undefined)],
      ['pause', () => media.pause()],
      ['seekbackward', ({ seekOffset }) => jump(media, -(seekOffset ?? JUMP_S))],
      ['seekforward', ({ seekOffset }) => jump(media, seekOffset ?? JUMP_S)],
      ['seekto', ({ seekTime }) => jump(media, (seekTime ?? media.currentTime) - media.currentTime)],
      ...(hasNext ? [['nexttrack', next] as [MediaSessionAction, MediaSessionActionHandler]] : []),
      ...(hasPrevious ? [['previoustrack', previous] as [MediaSessionAction, MediaSessionActionHandler]] : []),
    ];
    for (const [name, act] of actions) mediaSession.setActionHandler(name, act);
    return () => {
      mediaSession.metadata = null;
      for (const [name] of actions) mediaSession.setActionHandler(name, null);
    };
  }, [ref, title, poster, artist, hasNext, hasPrevious]);
}

/** Moves by the given seconds, within the media. */
export function jump(media: HTMLMediaElement, seconds: number): void {
  const end = Number.isFinite(media.duration) ? media.duration : Number.POSITIVE_INFINITY;
  media.currentTime = Math.min(Math.max(0, media.currentTime + seconds), end);
}
