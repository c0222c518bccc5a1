/** What a player is given; shared by the surfaces behind it. */
import type { BeatTracker } from './beat-tracker.ts';

/** What kind of thing a content item is. */
export type ContentKind = 'video' | 'audio' | 'image' | 'pdf' | 'file' | 'embed';

/** A WebVTT track of captions. */
export interface CaptionTrack {
  src: string;
  /** BCP 47, as in `en-GB`. */
  language: string;
  label: string;
}

/** Props of `Player`. */
export interface PlayerProps {
  /**
   * The playback address, or the address of an embedded video. It is read when the player mounts and again at Retry,
   * so that a refetched list with newly signed addresses does not interrupt playing: give the player a `key` per item.
   */
  src: string;
  /**
   * The same as a stream in several sizes (HLS), under the same grant; '' or absent while there is none. It is played
   * before the file, and gives way to it where it fails.
   */
  stream?: string;
  /** WebVTT list of small pictures for the time line; '' or absent for none. */
  storyboard?: string;
  /** Loudness of a recording, `{peaks}` of 0 to 100; '' or absent for none. */
  waveform?: string;
  kind: ContentKind;
  title: string;
  /** A still shown before playing; '' or absent for none. */
  poster?: string;
  /** Where to begin, in media milliseconds. */
  startAt?: number;
  captions?: readonly CaptionTrack[];
  /** Name and size (bytes) of the file, for the download card. */
  file?: { name: string; size: number } | null;
  onEnded?: () => void;
  /** The person opened or downloaded the file behind a card. */
  onDownload?: () => void;
  /** Counts what is seen; absent in previews. */
  tracker?: BeatTracker;
  /** Prolongs the playback address in use; called at half its life (30 min at first) and before Retry. */
  renew?: (address: string) => Promise<{ expiresIn: number }>;
}
