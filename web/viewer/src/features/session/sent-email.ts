/** The email that the tab waits for: a phone may drop the page while the person reads it elsewhere. */

/** An email with a code, and when it was sent. */
export interface SentEmail {
  email: string;
  /** Epoch milliseconds. */
  at: number;
}

const KEY = 'vitrine.viewer.sent';
/** As long as its code is valid. */
const WAITED_MS = 10 * 60_000;

/** Keeps what was sent for this joining link, in this tab only. */
export function keepSent(sent: SentEmail, joinCode: string | undefined): void {
  attempt(() => sessionStorage.setItem(KEY, JSON.stringify({ ...sent, joinCode })));
}

/** Returns what was sent for this joining link, if its code may still be valid. */
export function keptSent(joinCode: string | undefined, now = Date.now()): SentEmail | null {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as unknown);
  if (typeof kept !== 'object' || kept === null) return null;
  const { email, at, joinCode: sentFor } = kept as Record<string, unknown>;
  if (typeof email !== 'string' || typeof at !== 'number' || sentFor !== joinCode) return null;
  return at <= now && now < at + WAITED_MS ? { email, at } : null;
}

/** Forgets it: the code was used, or the person wants another address. */
export function forgetSent(): void {
  attempt(() => sessionStorage.removeItem(KEY));
}

/** Without browser storage nothing is kept. */
function attempt<T>(run: () => T): T | null {
  try {
    return run();
  } catch {
    return null;
  }
}
