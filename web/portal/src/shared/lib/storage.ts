/** The portal's local-storage entries; the session stores its token separately. */
export type StorageKey = 'accountId' | 'planId' | 'emailForSignIn' | 'redirectUrl';

/** Reads, writes and removes the entries; without browser storage they are always empty. */
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
      // Storage is full or forbidden; carry on without it.
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
