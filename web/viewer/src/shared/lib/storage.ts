/** The viewer app's own local-storage entries; a browser without storage behaves as if they were empty. */

/** Every entry but the session's token and the waiting events. */
export type StorageKey = 'email' | 'next' | 'organisation' | 'scheme' | 'clock';

const PREFIX = 'vitrine.viewer.';

/** Reads, writes and removes one entry. */
export const storage = {
  get(key: StorageKey): string | null {
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  },
  set(key: StorageKey, value: string): void {
    try {
      localStorage.setItem(PREFIX + key, value);
    } catch {
      // Storage is full or forbidden: the flow goes on without the memory.
    }
  },
  remove(key: StorageKey): void {
    try {
      localStorage.removeItem(PREFIX + key);
    } catch {
      // As above.
    }
  },
};
