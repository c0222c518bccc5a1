/** Retries with doubling delays. */
import { statusOf } from '@vitrine/api';

/** Delay before the first retry, in milliseconds. */
export const FIRST_DELAY_MS = 100;

/** Returns the delays before `retries` retries, doubling from the first, each at most `capMs`. */
export function delays(retries: number, capMs = Number.POSITIVE_INFINITY): number[] {
  return Array.from({ length: retries }, (_, index) => delayOf(index, capMs));
}

/** Returns the delay before retry number `index`, counted from 0. */
export function delayOf(index: number, capMs = Number.POSITIVE_INFINITY): number {
  return Math.min(FIRST_DELAY_MS * 2 ** index, capMs);
}

/** Calls in total, including the first. */
const ATTEMPTS = 5;

/** Query options that retry on the listed statuses, with five calls in total. */
export function retryOn(...statuses: readonly number[]) {
  return {
    retry: (failures: number, error: Error) => failures < ATTEMPTS - 1 && statuses.includes(statusOf(error)),
    retryDelay: (failures: number) => delayOf(failures),
  };
}

/** Waits; rejects as soon as the signal aborts. */
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
