/** What the browser remembers of uploads that a reload interrupted: everything but the file itself. */
import type { Begun } from './upload.ts';

/** One upload, as it is remembered. */
export interface Remembered<Job> {
  id: string;
  /** Whose it is: a browser may be shared. */
  owner: string;
  name: string;
  size: number;
  lastModified: number;
  /** What the file is for. */
  job: Job;
  /** Null while the server knows nothing of it. */
  begun: Begun | null;
  /** When it was last of use, in epoch milliseconds. */
  time: number;
}

const PREFIX = 'vitrine.upload.';
/** The server clears what never arrives after a day. */
const KEPT_MS = 24 * 3600 * 1000;

/** One entry an upload, so that two tabs never overwrite each other's; a browser without storage remembers nothing. */
export const uploadMemory = {
  put<Job>(entry: Remembered<Job>): void {
    attempt(() => localStorage.setItem(PREFIX + entry.id, JSON.stringify(entry)));
  },
  drop(id: string): void {
    attempt(() => localStorage.removeItem(PREFIX + id));
  },
  /** Those of this person that no open tab is busy with. */
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
      .sort((a, b) => a.time - b.time);
  },
};

/** Tells other tabs that this one is busy with the upload, until the answered function is called or the tab goes. */
export function hold(id: string): () => void {
  const over = new AbortController();
  const until = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  // A browser without locks, or a page that may have none: two tabs may then show the same upload.
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
