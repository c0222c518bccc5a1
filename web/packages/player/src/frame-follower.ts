/** Turns messages of a framed video into tracker calls. Frames do not report every seek, so seeks are detected. */
import type { BeatTracker } from './beat-tracker.ts';
import type { FrameMessage } from './frame-messages.ts';

/** How far a position may deviate from normal playing before it counts as a seek. */
const JUMP_MS = 2000;

/** Tracks one frame. */
export class FrameFollower {
  readonly #tracker: BeatTracker;
  readonly #now: () => number;
  #playing = false;
  #position = 0;
  #rate = 1;
  #at = 0;

  constructor(tracker: BeatTracker, now: () => number) {
    this.#tracker = tracker;
    this.#now = now;
  }

  /** The last reported position, in media milliseconds. */
  get position(): number {
    return this.#position;
  }

  handle({ state, positionMs, durationMs, rate }: FrameMessage): void {
    this.#tracker.learn({ duration: durationMs });
    if (rate !== undefined && rate !== this.#rate) {
      this.#rate = rate;
      this.#tracker.rateChanged(this.#position, rate);
    }
    if (positionMs !== undefined) this.#moved(positionMs, state === 'seeked');
    if (state === 'playing' && !this.#playing) {
      this.#playing = true;
      this.#at = this.#now();
      this.#tracker.play(this.#position, this.#rate);
    } else if (state === 'paused') {
      this.#playing = false;
      this.#tracker.pause(this.#position);
    } else if (state === 'ended') {
      this.#playing = false;
      this.#tracker.end(this.#position);
    }
  }

  #moved(positionMs: number, announced: boolean): void {
    const now = this.#now();
    const expected = this.#position + (this.#playing ? (now - this.#at) * this.#rate : 0);
    const jumped = announced || positionMs < this.#position - 500 || positionMs > expected + JUMP_MS;
    this.#at = now;
    this.#position = positionMs;
    if (!this.#playing) return;
    if (jumped) {
      this.#tracker.seeking();
      this.#tracker.seeked(positionMs);
    } else {
      this.#tracker.progress(positionMs);
    }
  }
}
