/** The words of POST /events: what a viewer's player tells the server. Shapes only, no behaviour. */

/** What the media was doing when a beat was taken. */
export type BeatState = 'playing' | 'paused' | 'seeking' | 'ended' | 'hidden';

/**
 * One section that was seen: media milliseconds `from`..`to`; equal for pictures and for the first beat of a view.
 * Of a document both are the number of the page that was looked at.
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
  /** When the beat was taken, ISO 8601 UTC with milliseconds. */
  time: string;
}

/** A single act of a person that is not watching. */
export interface Touch {
  kind: 'visit' | 'download' | 'contact';
  id: string;
  contentId?: string;
  playlistId?: string;
  time: string;
}

/** Everything that travels in POST /events. */
export type ViewerEvent = Beat | Touch;
