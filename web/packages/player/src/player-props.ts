/** Props of the player, shared by its surfaces. */
import type { RefObject } from 'react';
import type { BeatTracker } from './beat-tracker.ts';

/** The kind of a content item. */
export type ContentKind = 'video' | 'audio' | 'image' | 'pdf' | 'file' | 'embed';

/** A WebVTT caption track. */
export interface CaptionTrack {
  src: string;
  /** BCP 47 tag, such as `en-GB`. */
  language: string;
  label: string;
}

/** How far a person is. */
export interface PlaybackPosition {
  /** Media milliseconds, or the page of a document. */
  position: number;
  /** Milliseconds or pages; null if unknown. */
  length: number | null;
  /** Playback stopped here, so it should be saved now. */
  settled: boolean;
}

/** Lets the screen around a player control it. Null for content that does not play. */
export interface PlayerControls {
  /** Jumps to a position, in media milliseconds, and plays. */
  playFrom: (positionMs: number) => void;
  /** Returns the current position, in media milliseconds. */
  position: () => number;
}

/** What the lock screen and the keys of a keyboard or headset show and control. */
export interface PlayerSession {
  /** Shown under the title, such as the organisation's name. */
  artist: string;
  onNext?: (() => void) | undefined;
  onPrevious?: (() => void) | undefined;
}

export interface PlayerProps {
  /**
   * The playback URL, or the URL of an embedded video. Read on mount and again on Retry, so that a refetched list with
   * newly signed URLs does not interrupt playback: give the player a `key` per item.
   */
  src: string;
  /**
   * The HLS stream of the item, under the same grant; '' or absent if there is none. Preferred over the file, which is
   * the fallback.
   */
  stream?: string;
  /** WebVTT storyboard for timeline previews; '' or absent for none. */
  storyboard?: string;
  /** Waveform of an audio file, `{peaks}` from 0 to 100; '' or absent for none. */
  waveform?: string;
  kind: ContentKind;
  title: string;
  /** Poster shown before playing; '' or absent for none. */
  poster?: string;
  /** Start position, in media milliseconds; for a document, its page. */
  startAt?: number;
  /** Receives the controls while video, audio or a framed video is shown. */
  controls?: RefObject<PlayerControls | null>;
  /** Only the picture, for a mini player: the controls are elsewhere. */
  compact?: boolean;
  /** Starts playing as soon as possible. */
  autoPlay?: boolean;
  /** Called often with the current position. */
  onPlace?: (place: PlaybackPosition) => void;
  /** Registers the media with the lock screen; absent in previews. */
  session?: PlayerSession;
  captions?: readonly CaptionTrack[];
  /** Name and size (bytes) of the file, for the download card. */
  file?: { name: string; size: number } | null;
  /** Whether the file may be downloaded; by default it may. */
  downloadable?: boolean;
  onEnded?: () => void;
  /** Called when the person opens or downloads the file of a card. */
  onDownload?: () => void;
  /** Tracks watch time; absent in previews. */
  tracker?: BeatTracker;
  /** Renews the playback URL; called at half its lifetime (30 min at first) and before Retry. */
  renew?: (address: string) => Promise<{ expiresIn: number }>;
}
