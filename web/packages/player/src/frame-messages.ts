/**
 * Parses the postMessage events of YouTube and Vimeo frames, without loading their scripts. Unknown messages parse as
 * null.
 */

/** A message of a frame; `positionMs`, `durationMs` and `rate` only if the frame sent them. */
export interface FrameMessage {
  state?: 'playing' | 'paused' | 'ended' | 'seeked';
  positionMs?: number;
  durationMs?: number;
  rate?: number;
}

/** The only accepted origins. */
export const FRAME_ORIGINS = {
  youtube: 'https://www.youtube-nocookie.com',
  vimeo: 'https://player.vimeo.com',
} as const;

type Provider = keyof typeof FRAME_ORIGINS;

/** The messages that make a frame report its state. */
export function greetings(provider: Provider): string[] {
  if (provider === 'youtube') return [JSON.stringify({ event: 'listening', id: 1, channel: 'widget' })];
  const events = ['playing', 'pause', 'ended', 'timeupdate', 'seeked', 'playbackratechange'];
  return events.map((value) => JSON.stringify({ method: 'addEventListener', value }));
}

/** Parses a message of a frame. */
export function readFrameMessage(provider: Provider, data: unknown): FrameMessage | null {
  const message = asRecord(typeof data === 'string' ? parse(data) : data);
  if (message === null) return null;
  return provider === 'youtube' ? readYouTube(message) : readVimeo(message);
}

const YOUTUBE_STATES: Record<number, FrameMessage['state']> = { 0: 'ended', 1: 'playing', 2: 'paused' };

function readYouTube(message: Record<string, unknown>): FrameMessage | null {
  if (message.event !== 'infoDelivery' && message.event !== 'initialDelivery') return null;
  const info = asRecord(message.info);
  if (info === null) return null;
  const state = typeof info.playerState === 'number' ? YOUTUBE_STATES[info.playerState] : undefined;
  return messageOf(state, info.currentTime, info.duration, info.playbackRate);
}

const VIMEO_STATES: Record<string, FrameMessage['state']> = {
  playing: 'playing',
  pause: 'paused',
  ended: 'ended',
  seeked: 'seeked',
};

function readVimeo(message: Record<string, unknown>): FrameMessage | null {
  if (typeof message.event !== 'string') return null;
  const data = asRecord(message.data);
  return messageOf(VIMEO_STATES[message.event], data?.seconds, data?.duration, data?.playbackRate);
}

function messageOf(
  state: FrameMessage['state'],
  seconds: unknown,
  duration: unknown,
  rate: unknown,
): FrameMessage | null {
  const message: FrameMessage = {
    ...(state === undefined ? {} : { state }),
    ...(typeof seconds === 'number' ? { positionMs: seconds * 1000 } : {}),
    ...(typeof duration === 'number' && duration > 0 ? { durationMs: duration * 1000 } : {}),
    ...(typeof rate === 'number' ? { rate } : {}),
  };
  return Object.keys(message).length === 0 ? null : message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}
