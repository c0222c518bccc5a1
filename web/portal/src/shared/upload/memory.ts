/** Uploads interrupted by a reload, stored in the browser without the file itself. */
import type { Begun } from './upload.ts';

/** One stored upload. */
export interface Remembered<Job> {
  id: string;
  /** The person it belongs to; a browser may be shared. */
  owner: string;
  name: string;
  size: number;
  lastModified: number;
  /** The purpose of the file. */
  job: Job;
  /** Null until the server has created the upload. */
  begun: Begun | null;
  /** When it was added, in epoch milliseconds; no two of a queue are equal. */
  added: number;
  /** Last update, in epoch milliseconds. */
  time: number;
}

const PREFIX = 'vitrine.upload.';
/** The server removes unfinished uploads after a day. */
const KEPT_MS = 24 * 3600 * 1000;

/** One entry per upload, so that tabs do not overwrite each other's; without browser storage nothing is kept. */
export const uploadMemory = {
  put<Job>(entry: Remembered<Job>): void {
    attempt(() => localStorage.setItem(PREFIX + entry.id, JSON.stringify(entry)));
  },
  drop(id: string): void {
    attempt(() => localStorage.removeItem(PREFIX + id));
  },
  /** Returns this person's uploads that no open tab is working on, in the order they were added. */
  async all<Job>(owner: string, now: number): Promise<Remembered<Job>[]> {
    const held = await heldElsewhere();
    const found = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))) ?? [];
    return found
      .map((key) => attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null') as Remembered<Job> | null) ?? null)
      .filter((entry): entry is Remembered<Job> => {
        if (entry === null) return false;
        if (now - entry.time > KEPT_MS) uploadMemory.drop(entry.id);
        return entry.owner === owner && now - entry.time <= KEPT_MS && !held.has(entry.id);
      })
      .sort((a, b) => a.added - b.added);
  },
};

/** Marks the upload as held by this tab until the returned function is called or the tab closes. */
export function hold(id: string): () => void {
  const over = new AbortController();
  const until = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  // Without the Web Locks API, two tabs may show the same upload.
  void navigator.locks?.request(PREFIX + id, () => until).catch(() => undefined);
  return () => over.abort();
}

async function heldElsewhere(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query().catch(() => undefined)) ?? {};
  return new Set(held.map(({ name = '' }) => name.slice(PREFIX.length)));
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
