/** Storage of unsent events: one localStorage key per event, so that tabs do not overwrite each other's. */
import type { ViewerEvent } from './events.ts';

/** An event with its person and organisation. */
export interface StoredEvent {
  owner: string;
  orgId: string;
  event: ViewerEvent;
}

/** Storage of the outbox. */
export interface EventStore {
  put(entry: StoredEvent): void;
  /** Returns all pending events, oldest first. */
  all(): StoredEvent[];
  remove(ids: readonly string[]): void;
}

/** The part of `Storage` in use. */
export type KeyValueStore = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Creates a store on localStorage, or null if it is blocked. Events that cannot be written stay in memory for the
 * lifetime of the page.
 */
export function createEventStore(storage: KeyValueStore | null, prefix: string): EventStore {
  const memory = new Map<string, StoredEvent>();
  return {
    put(entry) {
      try {
        if (storage === null) throw new Error('no storage');
        storage.setItem(prefix + entry.event.id, JSON.stringify(entry));
      } catch {
        memory.set(entry.event.id, entry);
      }
    },
    all() {
      const entries = [...memory.values(), ...readAll(storage, prefix)];
      return entries.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    },
    remove(ids) {
      for (const id of ids) {
        memory.delete(id);
        try {
          storage?.removeItem(prefix + id);
        } catch {
          // Blocked storage has nothing to remove.
        }
      }
    },
  };
}

function orderOf({ event }: StoredEvent): string {
  return `${event.time} ${event.id}`;
}

function readAll(storage: KeyValueStore | null, prefix: string): StoredEvent[] {
  const found: StoredEvent[] = [];
  try {
    for (let i = 0; storage !== null && i < storage.length; i += 1) {
      const key = storage.key(i);
      if (key === null || !key.startsWith(prefix)) continue;
      const entry = parse(storage.getItem(key));
      if (entry !== null) found.push(entry);
    }
  } catch {
    return found;
  }
  return found;
}

function parse(text: string | null): StoredEvent | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isStoredEvent(value) ? value : null;
  } catch {
    return null;
  }
}

function isStoredEvent(value: unknown): value is StoredEvent {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Partial<StoredEvent>;
  return (
    typeof entry.owner === 'string' &&
    typeof entry.orgId === 'string' &&
    typeof entry.event?.id === 'string' &&
    typeof entry.event.time === 'string'
  );
}
