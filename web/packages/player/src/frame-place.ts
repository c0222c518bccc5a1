/** Turns messages of a framed video into positions to save. */
import type { FrameMessage } from './frame-messages.ts';
import type { PlaybackPosition } from './player-props.ts';

/** For a video whose length the frame has not told: its end is all that is known. */
const SEEN: PlaybackPosition = { position: 1, length: 1, settled: true };

/** Follows one frame. */
export class FramePlace {
  readonly #tell: (place: PlaybackPosition) => void;
  #played = false;
  #position = 0;
  #length: number | null = null;
  #settledAt = -1;

  constructor(tell: (place: PlaybackPosition) => void) {
    this.#tell = tell;
  }

  /** The last reported position, in media milliseconds. */
  get position(): number {
    return this.#position;
  }

  handle({ state, positionMs, durationMs }: FrameMessage): void {
    if (durationMs !== undefined) this.#length = Math.round(durationMs);
    if (positionMs !== undefined) this.#position = Math.round(positionMs);
    // Before it plays, and during an advertisement, a frame may report 0, which must not replace the saved position.
    if (state === 'playing') this.#played = true;
    if (state === 'ended') {
      const length = this.#length;
      this.#settledAt = this.#position;
      this.#tell(length === null ? SEEN : { position: length, length, settled: true });
    } else if (state === 'paused' || state === 'seeked') {
      this.settle();
    } else if (positionMs !== undefined) {
      this.#report(false);
    }
  }

  /** Reports the position to be saved now, unless it has been. */
  settle(): void {
    this.#report(true);
  }

  #report(settled: boolean): void {
    const position = this.#position;
    if (!this.#played || position <= 0 || this.#length === null || position === this.#settledAt) return;
    this.#settledAt = settled ? position : -1;
    this.#tell({ position, length: this.#length, settled });
  }
}
