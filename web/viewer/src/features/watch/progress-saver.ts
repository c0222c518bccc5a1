/** Collects positions and saves them: each item at most every ten seconds, and at once when playback stops. */
import type { PlaybackPosition } from '@vitrine/player';

/** A position to save. */
export interface Position {
  contentId: string;
  playlistId: string;
  position: number;
  length: number | null;
  /** ISO 8601. */
  time: string;
}

/** Stores positions of an organisation at the server; resolves to false if they should be sent again later. */
export type SavePositions = (orgId: string, items: Position[]) => Promise<boolean>;

/** Dependencies of a saver. */
export interface ProgressSaverOptions {
  save: SavePositions;
  /** The signed-in person, or null. */
  owner: () => string | null;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Milliseconds between two saves while playing. */
export const SAVE_EVERY_MS = 10_000;

/** The positions of this page that are not saved yet. */
export class ProgressSaver {
  readonly #options: ProgressSaverOptions;
  readonly #waiting = new Map<string, Map<string, Position>>();
  #owner: string | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(options: ProgressSaverOptions) {
    this.#options = options;
  }

  /** Takes a position; the newest one of each item is saved. */
  add(orgId: string, about: { contentId: string; playlistId: string }, place: PlaybackPosition): void {
    const { owner, now } = this.#options;
    const person = owner();
    if (person === null) return;
    // What one person watched is never saved for the next.
    if (person !== this.#owner) this.#waiting.clear();
    this.#owner = person;
    const items = this.#waiting.get(orgId) ?? new Map<string, Position>();
    const { position, length } = place;
    items.set(about.contentId, { ...about, position, length, time: new Date(now()).toISOString() });
    this.#waiting.set(orgId, items);
    if (place.settled) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), SAVE_EVERY_MS);
  }

  /** Saves everything that waits. Never rejects; what could not be saved is tried again with the next position. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { owner, save } = this.#options;
    const person = owner();
    const batches = person === this.#owner ? [...this.#waiting] : [];
    this.#waiting.clear();
    for (const [orgId, items] of batches) {
      const saved = await save(orgId, [...items.values()]).catch(() => false);
      if (!saved && this.#owner === person) this.#keep(orgId, items);
    }
  }

  /** Puts unsaved positions back, unless a newer one was taken meanwhile. */
  #keep(orgId: string, items: Map<string, Position>): void {
    this.#waiting.set(orgId, new Map([...items, ...(this.#waiting.get(orgId) ?? [])]));
  }
}
