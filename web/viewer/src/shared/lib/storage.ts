/** The viewer app's local-storage entries; without browser storage they are always empty. */

/** All entries except the session's token and pending events. */
export type StorageKey = 'email' | 'language' | 'next' | 'organisation' | 'scheme' | 'clock';

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
      // Storage is full or forbidden; carry on without it.
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
