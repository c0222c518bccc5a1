/**
 * Sends events to the server: batches up to 100, keeps them until the server acknowledges them, and retries failures
 * later. Drops events older than 72 h, which the server would refuse.
 */
import type { EventStore, StoredEvent } from './event-store.ts';
import type { ViewerEvent } from './events.ts';

/** How long an event may wait for its batch. */
export const LATEST_MS = 72 * 60 * 60 * 1000;
const BATCH = 100;
const GATHER_MS = 1500;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 300_000;
const PATIENCE_MS = 20_000;

/**
 * The outcome of a batch: `acknowledged` is stored, `refused` will never be accepted, `unavailable` may be later.
 */
export type SendOutcome = 'acknowledged' | 'refused' | 'unavailable';

/** Posts a batch of one organisation. Must use `fetch` with `keepalive`, so that it outlives the page. */
export type SendEvents = (orgId: string, events: ViewerEvent[]) => Promise<SendOutcome>;

/** Dependencies of an outbox. */
export interface EventOutboxOptions {
  send: SendEvents;
  store: EventStore;
  /** The signed-in person, or null; another person's events wait until that person returns. */
  owner: () => string | null;
  /** Epoch milliseconds. */
  now: () => number;
  /** Runs the work in one tab at a time; see `oneTabAtATime`. */
  exclusively?: (work: () => Promise<void>) => Promise<void>;
}

/** The event queue of a page. */
export class EventOutbox {
  readonly #options: EventOutboxOptions;
  readonly #own = new Set<string>();
  readonly #inFlight = new Set<string>();
  #running: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;

  constructor(options: EventOutboxOptions) {
    this.#options = options;
  }

  /** Stores the event and sends it soon, or immediately if urgent. Ignored while signed out. */
  add(orgId: string, event: ViewerEvent, urgent = false): void {
    const owner = this.#options.owner();
    if (owner === null) return;
    this.#options.store.put({ owner, orgId, event });
    this.#own.add(event.id);
    if (this.#failures > 0) return;
    if (urgent) void this.flush();
    else this.#later(GATHER_MS);
  }

  /** Sends all pending events. Resolves when they are sent or an attempt failed; never rejects. */
  async flush(): Promise<void> {
    while (this.#running !== null) await this.#running;
    this.#cancelTimer();
    const exclusively = this.#options.exclusively ?? ((work) => work());
    this.#running = exclusively(() => this.#drain()).catch(() => this.#retryLater());
    await this.#running.finally(() => {
      this.#running = null;
    });
  }

  /** Sends this page's events without waiting, because the page is unloading. */
  leave(): void {
    const batches = this.#batches(({ event }) => this.#own.has(event.id));
    for (const batch of batches) void this.#send(batch).catch(() => undefined);
  }

  async #drain(): Promise<void> {
    this.#forgetStale();
    const owner = this.#options.owner();
    for (const batch of this.#batches(() => true)) {
      // Another person has signed in; these events are not theirs.
      if (this.#options.owner() !== owner) return;
      if (!(await this.#send(batch))) {
        this.#retryLater();
        return;
      }
    }
    this.#failures = 0;
  }

  /** Returns false if the batch has to be retried. */
  async #send(batch: StoredEvent[]): Promise<boolean> {
    const orgId = batch[0]?.orgId;
    if (orgId === undefined) return true;
    const ids = batch.map(({ event }) => event.id);
    for (const id of ids) this.#inFlight.add(id);
    try {
      const outcome = await this.#options.send(
        orgId,
        batch.map(({ event }) => event),
      );
      if (outcome === 'unavailable') return false;
      this.#options.store.remove(ids);
      for (const id of ids) this.#own.delete(id);
      return true;
    } finally {
      for (const id of ids) this.#inFlight.delete(id);
    }
  }

  #batches(wanted: (entry: StoredEvent) => boolean): StoredEvent[][] {
    const owner = this.#options.owner();
    const byOrg = new Map<string, StoredEvent[]>();
    for (const entry of this.#options.store.all()) {
      if (entry.owner !== owner || this.#inFlight.has(entry.event.id) || !wanted(entry)) continue;
      const group = byOrg.get(entry.orgId);
      if (group === undefined) byOrg.set(entry.orgId, [entry]);
      else group.push(entry);
    }
    return [...byOrg.values()].flatMap((group) => slices(group, BATCH));
  }

  #forgetStale(): void {
    const oldest = this.#options.now() - LATEST_MS;
    const stale = this.#options.store.all().filter(({ event }) => !(Date.parse(event.time) >= oldest));
    this.#options.store.remove(stale.map(({ event }) => event.id));
  }

  #retryLater(): void {
    this.#later(Math.min(FIRST_RETRY_MS * 2 ** this.#failures, LONGEST_RETRY_MS));
    this.#failures += 1;
  }

  #later(ms: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.flush();
    }, ms);
  }

  #cancelTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

/**
 * An `exclusively` based on the Web Locks API. Without it, or if another tab holds the lock too long, the work runs
 * anyway: the server counts each event once.
 */
export function oneTabAtATime(name: string): (work: () => Promise<void>) => Promise<void> {
  return async (work) => {
    if (typeof navigator === 'undefined' || navigator.locks === undefined) return work();
    const patience = AbortSignal.timeout(PATIENCE_MS);
    let begun = false;
    const begin = () => {
      begun = true;
      return work();
    };
    try {
      await navigator.locks.request(name, { signal: patience }, begin);
    } catch (error) {
      if (begun || !patience.aborted) throw error;
      await work();
    }
  };
}

function slices<T>(items: T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let i = 0; i < items.length; i += size) parts.push(items.slice(i, i + size));
  return parts;
}
