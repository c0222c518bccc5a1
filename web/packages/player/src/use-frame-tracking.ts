/** Tracks a framed video while it is mounted. */
import { type RefObject, useCallback, useEffect, useEffectEvent, useRef } from 'react';
import type { EmbeddedVideo } from './embed.ts';
import { FrameFollower } from './frame-follower.ts';
import { FRAME_ORIGINS, greetings, readFrameMessage } from './frame-messages.ts';
import { FramePlace } from './frame-place.ts';
import type { PlaybackPosition, PlayerProps } from './player-props.ts';

const GREET_EVERY_MS = 500;
const GREETINGS = 40;

interface FrameTracking {
  frame: RefObject<HTMLIFrameElement | null>;
  /** Returns the last reported position, in media milliseconds. */
  position: () => number;
}

/** `shown` is the number of the frame, 0 before the first. Reports playback to the tracker, positions to `onPlace`, and calls `onEnded` at the end. */
export function useFrameTracking(
  video: EmbeddedVideo,
  shown: number,
  { tracker, onPlace, onEnded }: Pick<PlayerProps, 'tracker' | 'onPlace' | 'onEnded'>,
): FrameTracking {
  const frame = useRef<HTMLIFrameElement>(null);
  const last = useRef(0);
  const ended = useEffectEvent(() => onEnded?.());
  const tell = useEffectEvent((place: PlaybackPosition) => onPlace?.(place));
  const { provider } = video;
  useEffect(() => {
    if (shown === 0) return;
    const origin = FRAME_ORIGINS[provider];
    const follower = tracker === undefined ? null : new FrameFollower(tracker, Date.now);
    const place = new FramePlace((told) => tell(told));
    let left = GREETINGS;
    // A frame does not report when its script is ready, so send the greeting until it responds.
    const greeting = setInterval(() => {
      for (const text of greetings(provider)) frame.current?.contentWindow?.postMessage(text, origin);
      left -= 1;
      if (left === 0) clearInterval(greeting);
    }, GREET_EVERY_MS);
    const listen = (message: MessageEvent) => {
      if (message.origin !== origin || message.source !== frame.current?.contentWindow) return;
      const report = readFrameMessage(provider, message.data);
      if (report === null) return;
      clearInterval(greeting);
      follower?.handle(report);
      place.handle(report);
      last.current = place.position;
      if (report.state === 'ended') ended();
    };
    const hidden = () => {
      if (document.visibilityState !== 'hidden') return;
      tracker?.hidden(follower?.position ?? 0);
      place.settle();
    };
    window.addEventListener('message', listen);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      clearInterval(greeting);
      window.removeEventListener('message', listen);
      document.removeEventListener('visibilitychange', hidden);
      tracker?.pause(follower?.position ?? 0);
      place.settle();
    };
  }, [shown, provider, tracker]);
  const position = useCallback(() => last.current, []);
  return { frame, position };
}
