/**
 * Sends events to the server: gathers them for a moment, sends at most 100 at once, keeps them until the server has
 * acknowledged them, and tries again later when it could not. Events older than 72 h are dropped: the server
 * would refuse them.
 */
import type { EventStore, StoredEvent } from './event-store.ts';
import type { ViewerEvent } from './events.ts';

/** How long an event may wait for its turn to be sent. */
export const LATEST_MS = 72 * 60 * 60 * 1000;
const BATCH = 100;
const GATHER_MS = 1500;
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 300_000;
const PATIENCE_MS = 20_000;

/**
 * What became of a batch: `acknowledged` is stored, `refused` will never be accepted, `unavailable` may be later.
 */
export type SendOutcome = 'acknowledged' | 'refused' | 'unavailable';

/** Posts a batch of one organisation. It must use `fetch` with `keepalive`, so that it outlives the page. */
export type SendEvents = (orgId: string, events: ViewerEvent[]) => Promise<SendOutcome>;

/** What an outbox needs from outside. */
export interface EventOutboxOptions {
  send: SendEvents;
  store: EventStore;
  /** The signed-in person, or null; events of another person wait until that one is back. */
  owner: () => string | null;
  /** Epoch milliseconds. */
  now: () => number;
  /** Runs the work while no other tab does the same; see `oneTabAtATime`. */
  exclusively?: (work: () => Promise<void>) => Promise<void>;
}

/** The queue of one page. */
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

  /** Keeps the event and sends it soon; at once when urgent. Without a signed-in person it is not kept. */
  add(orgId: string, event: ViewerEvent, urgent = false): void {
    const owner = this.#options.owner();
    if (owner === null) return;
    this.#options.store.put({ owner, orgId, event });
    this.#own.add(event.id);
    if (this.#failures > 0) return;
    if (urgent) void this.flush();
    else this.#later(GATHER_MS);
  }

  /** Sends everything that waits. Resolves when it is sent or a try has failed; never rejects. */
  async flush(): Promise<void> {
    while (this.#running !== null) await this.#running;
    this.#cancelTimer();
    const exclusively = this.#options.exclusively ?? ((work) => work());
    this.#running = exclusively(() => this.#drain()).catch(() => this.#retryLater());
    await this.#running.finally(() => {
      this.#running = null;
    });
  }

  /** The page is leaving: sends what this page still holds, without waiting for anything. */
  leave(): void {
    const batches = this.#batches(({ event }) => this.#own.has(event.id));
    for (const batch of batches) void this.#send(batch).catch(() => undefined);
  }

  async #drain(): Promise<void> {
    this.#forgetStale();
    const owner = this.#options.owner();
    for (const batch of this.#batches(() => true)) {
      // Another person by now: these are not theirs to send.
      if (this.#options.owner() !== owner) return;
      if (!(await this.#send(batch))) {
        this.#retryLater();
        return;
      }
    }
    this.#failures = 0;
  }

  /** False when the batch has to be sent again. */
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
 * An `exclusively` over the Web Locks API. Where there is none, or where another tab holds on for too long, the work
 * is done all the same: the server counts an event once however often it comes.
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
