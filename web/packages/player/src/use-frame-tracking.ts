/** Tracks a framed video while it is mounted. */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { BeatTracker } from './beat-tracker.ts';
import type { EmbeddedVideo } from './embed.ts';
import { FrameFollower } from './frame-follower.ts';
import { FRAME_ORIGINS, greetings, readFrameMessage } from './frame-messages.ts';

const GREET_EVERY_MS = 500;
const GREETINGS = 40;

/** Returns the ref for the frame; reports playback to the tracker, and calls `onEnded` at the end. */
export function useFrameTracking(
  video: EmbeddedVideo,
  open: boolean,
  tracker: BeatTracker | undefined,
  onEnded: (() => void) | undefined,
): RefObject<HTMLIFrameElement | null> {
  const frame = useRef<HTMLIFrameElement>(null);
  const ended = useEffectEvent(() => onEnded?.());
  const { provider } = video;
  useEffect(() => {
    if (!open) return;
    const origin = FRAME_ORIGINS[provider];
    const follower = tracker === undefined ? null : new FrameFollower(tracker, Date.now);
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
      if (report.state === 'ended') ended();
    };
    const hidden = () => {
      if (document.visibilityState === 'hidden') tracker?.hidden(follower?.position ?? 0);
    };
    window.addEventListener('message', listen);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      clearInterval(greeting);
      window.removeEventListener('message', listen);
      document.removeEventListener('visibilitychange', hidden);
      tracker?.pause(follower?.position ?? 0);
    };
  }, [open, provider, tracker]);
  return frame;
}
