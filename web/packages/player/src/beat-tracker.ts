/**
 * Turns media events into beats. It has no timers, DOM or network: callers report media events and it passes beats to a
 * sink, so that every rule can be tested with a number as the clock.
 *
 * A view starts with an empty beat at play, and gets a beat every 10 s of playing and at each pause, seek, rate change,
 * end and hidden tab. Playing again after the end starts a new view.
 */
import type { Beat, BeatState } from './events.ts';

/** How long an item is: milliseconds of what plays, or pages of a document. */
export type ItemLength = Pick<Beat, 'duration' | 'pages'>;

/** Milliseconds between two beats while playing. */
export const BEAT_EVERY_MS = 10_000;

/** A page being unloaded reports it twice within milliseconds; the second report is ignored. */
const LEAVING_MS = 1000;

/** Receives beats. `urgent` beats open or close a section and should be sent immediately. */
export type BeatSink = (beat: Beat, urgent: boolean) => void;

/** Dependencies of a tracker. */
export interface BeatTrackerOptions {
  contentId: string;
  playlistId?: string;
  sink: BeatSink;
  /** Epoch milliseconds. */
  now: () => number;
  /** Returns a new unique identifier for a view or a beat. */
  newId: () => string;
}

interface View {
  id: string;
  seq: number;
}

/** Tracks one content item in one player. Positions are media milliseconds. */
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
  #length: ItemLength = {};

  constructor(options: BeatTrackerOptions) {
    this.#options = options;
  }

  /** Playing starts or resumes; the first call, and the first after an end, opens a view. */
  play(positionMs: number, rate = 1): void {
    if (this.#playing) return;
    this.#view ??= { id: this.#options.newId(), seq: 0 };
    this.#playing = true;
    this.#rate = rate;
    this.#startSection(positionMs);
    this.#emit('playing', true);
  }

  /** The player has learned how long the item is; the next beats say so. */
  learn({ duration, pages }: ItemLength): void {
    if (isLength(duration)) this.#length = { ...this.#length, duration: Math.round(duration) };
    if (isLength(pages)) this.#length = { ...this.#length, pages };
  }

  /** The position advanced by playing. Call as often as you like; a beat is sent every 10 s. */
  progress(positionMs: number): void {
    if (!this.#playing || this.#seeking) return;
    this.#moveTo(positionMs);
    // A clock that is set back must not stop beats.
    if (Math.abs(this.#options.now() - this.#beatAt) >= BEAT_EVERY_MS) this.#emit('playing', false);
  }

  /** Playing paused and may resume. */
  pause(positionMs: number): void {
    this.#close('paused', positionMs);
  }

  /** The media played to its end; the next play is a new view. */
  end(positionMs: number): void {
    this.#close('ended', positionMs);
    this.#view = null;
    this.#lastState = null;
  }

  /** The item is no longer visible and cannot continue unseen, such as an image in a hidden tab. */
  suspend(positionMs: number): void {
    this.#close('hidden', positionMs);
  }

  /** A seek starts: closes the section at the last known position. Scrubbing counts as one seek. */
  seeking(): void {
    if (!this.#playing || this.#seeking) return;
    this.#emit('seeking', true);
    this.#seeking = true;
  }

  /** The seek has ended. */
  seeked(positionMs: number): void {
    this.#seeking = false;
    this.#startSection(positionMs);
  }

  /** The playback rate changed: closes the section at the old rate. */
  rateChanged(positionMs: number, rate: number): void {
    if (this.#playing && !this.#seeking && rate !== this.#rate) {
      this.#moveTo(positionMs);
      this.#emit('playing', false);
    }
    this.#rate = rate;
  }

  /** Another page of a document is shown: closes the section of the previous page. */
  turn(page: number): void {
    if (this.#playing) this.#emit('playing', false);
    this.#startSection(page);
  }

  /** The tab is hidden or the page is unloading; the media may keep playing. */
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

  /** A position before the section's start, after an unreported seek, starts a new section. */
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
      ...this.#length,
      time: new Date(at).toISOString(),
    };
    view.seq += 1;
    this.#from = this.#position;
    this.#beatAt = at;
    this.#lastState = state;
    sink(beat, urgent);
  }
}

/** A live stream has no length, and neither has what is still loading. */
function isLength(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}

function wholeMs(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}
