/**
 * Turns what a media element does into beats. No timers, no DOM, no network: it is told about the media and hands
 * each beat to a sink, so that every rule here can be tested with a number for a clock.
 *
 * A view begins with an empty beat at play, gets a beat every 10 s of playing and one at each pause, seek, change of
 * speed, end and tab that is hidden. Playing again after the end is a new view.
 */
import type { Beat, BeatState } from './events.ts';

/** Milliseconds between two beats while playing. */
export const BEAT_EVERY_MS = 10_000;

/** A page that leaves is told so twice, a few milliseconds apart; the second time says nothing new. */
const LEAVING_MS = 1000;

/** Where beats go. `urgent` ones open or close a section and should leave at once. */
export type BeatSink = (beat: Beat, urgent: boolean) => void;

/** What a tracker needs from outside. */
export interface BeatTrackerOptions {
  contentId: string;
  playlistId?: string;
  sink: BeatSink;
  /** Epoch milliseconds. */
  now: () => number;
  /** A new unique identifier for a view or a beat. */
  newId: () => string;
}

interface View {
  id: string;
  seq: number;
}

/** Follows one content item in one player. Positions are media milliseconds. */
export class BeatTracker {
  readonly #options: BeatTrackerOptions;
  #view: View | null = null;
  #playing = false;
  #seeking = false;
  #rate = 1;
  #from = 0;
  #position = 0;
  #beatAt = 0;
  #lastState: BeatState | null = null;

  constructor(options: BeatTrackerOptions) {
    this.#options = options;
  }

  /** Playing starts or goes on: the first call, and the first after an end, opens a view. */
  play(positionMs: number, rate = 1): void {
    if (this.#playing) return;
    this.#view ??= { id: this.#options.newId(), seq: 0 };
    this.#playing = true;
    this.#rate = rate;
    this.#startSection(positionMs);
    this.#emit('playing', true);
  }

  /** The position moved on by playing; call it as often as you like (a beat goes out every 10 s). */
  progress(positionMs: number): void {
    if (!this.#playing || this.#seeking) return;
    this.#moveTo(positionMs);
    // A clock that was set back must not silence the tracker.
    if (Math.abs(this.#options.now() - this.#beatAt) >= BEAT_EVERY_MS) this.#emit('playing', false);
  }

  /** Playing stopped and may go on later. */
  pause(positionMs: number): void {
    this.#close('paused', positionMs);
  }

  /** The media played to its end; the next play is a new view. */
  end(positionMs: number): void {
    this.#close('ended', positionMs);
    this.#view = null;
    this.#lastState = null;
  }

  /** The thing shown went out of sight and does not go on by itself, as a picture in a hidden tab. */
  suspend(positionMs: number): void {
    this.#close('hidden', positionMs);
  }

  /** A jump begins: what was seen before it is closed at the last known position. Scrubbing counts as one jump. */
  seeking(): void {
    if (!this.#playing || this.#seeking) return;
    this.#emit('seeking', true);
    this.#seeking = true;
  }

  /** The jump has landed. */
  seeked(positionMs: number): void {
    this.#seeking = false;
    this.#startSection(positionMs);
  }

  /** The speed changed: what was seen so far counts at the old speed. */
  rateChanged(positionMs: number, rate: number): void {
    if (this.#playing && !this.#seeking && rate !== this.#rate) {
      this.#moveTo(positionMs);
      this.#emit('playing', false);
    }
    this.#rate = rate;
  }

  /** Another page of a document is looked at: the section that shows the one before ends with it. */
  turn(page: number): void {
    if (this.#playing) this.#emit('playing', false);
    this.#startSection(page);
  }

  /** The tab is hidden or the page is leaving; the media may go on playing. */
  hidden(positionMs: number): void {
    if (!this.#playing) return;
    if (!this.#seeking) this.#moveTo(positionMs);
    if (this.#lastState === 'hidden' && this.#position - this.#from < LEAVING_MS) return;
    this.#emit('hidden', true);
  }

  #close(state: BeatState, positionMs: number): void {
    if (!this.#playing) return;
    if (!this.#seeking) this.#moveTo(positionMs);
    this.#emit(state, true);
    this.#playing = false;
    this.#seeking = false;
  }

  #startSection(positionMs: number): void {
    this.#from = wholeMs(positionMs);
    this.#position = this.#from;
  }

  /** A position behind the section's start (a jump nobody announced) starts a new section there. */
  #moveTo(positionMs: number): void {
    const position = wholeMs(positionMs);
    if (position < this.#from) this.#from = position;
    this.#position = position;
  }

  #emit(state: BeatState, urgent: boolean): void {
    const view = this.#view;
    if (view === null) return;
    const { contentId, playlistId, now, newId, sink } = this.#options;
    const at = now();
    const beat: Beat = {
      kind: 'beat',
      id: newId(),
      viewId: view.id,
      seq: view.seq,
      contentId,
      ...(playlistId === undefined ? {} : { playlistId }),
      from: this.#from,
      to: this.#position,
      rate: this.#rate,
      state,
      time: new Date(at).toISOString(),
    };
    view.seq += 1;
    this.#from = this.#position;
    this.#beatAt = at;
    this.#lastState = state;
    sink(beat, urgent);
  }
}

function wholeMs(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}
