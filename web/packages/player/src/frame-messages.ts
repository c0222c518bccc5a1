/**
 * What the frames of YouTube and Vimeo say by postMessage, read without any script of theirs on our page.
 * Anything unknown reads as null.
 */

/** One thing a frame said; `positionMs` and `rate` only where the frame gave them. */
export interface FrameNews {
  state?: 'playing' | 'paused' | 'ended' | 'seeked';
  positionMs?: number;
  rate?: number;
}

/** The only origins that are listened to. */
export const FRAME_ORIGINS = {
  youtube: 'https://www.youtube-nocookie.com',
  vimeo: 'https://player.vimeo.com',
} as const;

type Provider = keyof typeof FRAME_ORIGINS;

/** What has to be said to a frame so that it reports. */
export function greetings(provider: Provider): string[] {
  if (provider === 'youtube') return [JSON.stringify({ event: 'listening', id: 1, channel: 'widget' })];
  const events = ['playing', 'pause', 'ended', 'timeupdate', 'seeked', 'playbackratechange'];
  return events.map((value) => JSON.stringify({ method: 'addEventListener', value }));
}

/** Reads a message of a frame. */
export function readFrameMessage(provider: Provider, data: unknown): FrameNews | null {
  const message = asRecord(typeof data === 'string' ? parse(data) : data);
  if (message === null) return null;
  return provider === 'youtube' ? readYouTube(message) : readVimeo(message);
}

const YOUTUBE_STATES: Record<number, FrameNews['state']> = { 0: 'ended', 1: 'playing', 2: 'paused' };

function readYouTube(message: Record<string, unknown>): FrameNews | null {
  if (message.event !== 'infoDelivery' && message.event !== 'initialDelivery') return null;
  const info = asRecord(message.info);
  if (info === null) return null;
  const state = typeof info.playerState === 'number' ? YOUTUBE_STATES[info.playerState] : undefined;
  return news(state, info.currentTime, info.playbackRate);
}

const VIMEO_STATES: Record<string, FrameNews['state']> = {
  playing: 'playing',
  pause: 'paused',
  ended: 'ended',
  seeked: 'seeked',
};

function readVimeo(message: Record<string, unknown>): FrameNews | null {
  if (typeof message.event !== 'string') return null;
  const data = asRecord(message.data);
  return news(VIMEO_STATES[message.event], data?.seconds, data?.playbackRate);
}

function news(state: FrameNews['state'], seconds: unknown, rate: unknown): FrameNews | null {
  const said: FrameNews = {
    ...(state === undefined ? {} : { state }),
    ...(typeof seconds === 'number' ? { positionMs: seconds * 1000 } : {}),
    ...(typeof rate === 'number' ? { rate } : {}),
  };
  return Object.keys(said).length === 0 ? null : said;
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
