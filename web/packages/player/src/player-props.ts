/** Props of the player, shared by its surfaces. */
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

/** Props of `Player`. */
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
  /** Start position, in media milliseconds. */
  startAt?: number;
  captions?: readonly CaptionTrack[];
  /** Name and size (bytes) of the file, for the download card. */
  file?: { name: string; size: number } | null;
  onEnded?: () => void;
  /** Called when the person opens or downloads the file of a card. */
  onDownload?: () => void;
  /** Tracks watch time; absent in previews. */
  tracker?: BeatTracker;
  /** Renews the playback URL; called at half its lifetime (30 min at first) and before Retry. */
  renew?: (address: string) => Promise<{ expiresIn: number }>;
}
