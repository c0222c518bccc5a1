/** Waiting and asking again, with the delay doubling each time (rules section 6.3). */
import { statusOf } from '@vitrine/api';

/** Delay before the first repeat, in milliseconds. */
export const FIRST_DELAY_MS = 100;

/** Waits before each repeat: `retries` of them, doubling from the first delay, each at most `capMs`. */
export function delays(retries: number, capMs = Number.POSITIVE_INFINITY): number[] {
  return Array.from({ length: retries }, (_, index) => delayOf(index, capMs));
}

/** The wait before repeat number `index` (from 0). */
export function delayOf(index: number, capMs = Number.POSITIVE_INFINITY): number {
  return Math.min(FIRST_DELAY_MS * 2 ** index, capMs);
}

/** Calls of the generic helper, the first one included. */
const ATTEMPTS = 5;

/** The generic helper, for a query: five calls in all, and only while the status is one of those listed. */
export function retryOn(...statuses: readonly number[]) {
  return {
    retry: (failures: number, error: Error) => failures < ATTEMPTS - 1 && statuses.includes(statusOf(error)),
    retryDelay: (failures: number) => delayOf(failures),
  };
}

/** Waits; rejects at once when stopped. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(done, ms);
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
