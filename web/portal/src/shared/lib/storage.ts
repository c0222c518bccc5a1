/** The portal's own local-storage entries (spec section 9); the session keeps its token apart. */
export type StorageKey = 'accountId' | 'planId' | 'emailForSignIn' | 'redirectUrl';

/** Reads, writes and removes the four entries; a browser without storage behaves as if they were empty. */
export const storage = {
  get(key: StorageKey): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: StorageKey, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Storage is full or forbidden: the flow goes on without the memory.
    }
  },
  remove(key: StorageKey): void {
    try {
      localStorage.removeItem(key);
    } catch {
      // As above.
    }
  },
};
