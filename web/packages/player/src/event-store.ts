/** Where unsent events wait: localStorage, one key an event, so that two tabs never overwrite each other's. */
import type { ViewerEvent } from './events.ts';

/** An event with the person and the organisation it belongs to. */
export interface StoredEvent {
  owner: string;
  orgId: string;
  event: ViewerEvent;
}

/** The waiting room of the outbox. */
export interface EventStore {
  put(entry: StoredEvent): void;
  /** Every waiting event, oldest first. */
  all(): StoredEvent[];
  remove(ids: readonly string[]): void;
}

/** The part of `Storage` that is used. */
export type KeyValueStore = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/**
 * A store over localStorage (pass null where it is refused); whatever cannot be written there, because it is full or
 * forbidden, is kept in memory for the life of the page.
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
          // A storage that refuses has nothing to remove.
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
