/** Types of POST /events. */

/** The state of the media when a beat was taken. */
export type BeatState = 'playing' | 'paused' | 'seeking' | 'ended' | 'hidden';

/**
 * One watched section in media milliseconds, `from`..`to`; equal for images and for the first beat of a view. For a
 * document, both are the number of the viewed page.
 */
export interface Beat {
  kind: 'beat';
  id: string;
  viewId: string;
  seq: number;
  contentId: string;
  playlistId?: string;
  from: number;
  to: number;
  rate: number;
  state: BeatState;
  /** Length of what plays in milliseconds, once the player knows it. */
  duration?: number;
  /** Number of pages of a document, once the reader knows it. */
  pages?: number;
  /** When the beat was taken, ISO 8601 UTC with milliseconds. */
  time: string;
}

/** A single interaction other than watching. */
export interface Interaction {
  kind: 'visit' | 'download' | 'contact';
  id: string;
  contentId?: string;
  playlistId?: string;
  time: string;
}

/** Any event of POST /events. */
export type ViewerEvent = Beat | Interaction;
