/** Waiting for a lost connection. */
import { wait } from '../lib/retry.ts';

/** Pauses between attempts without progress, in milliseconds. */
export const PAUSES = [500, 1000, 2000, 4000, 8000, 15_000];

/** Waits for `ms`, or until the browser reports that it is online again. */
export async function untilOnline(ms: number, signal: AbortSignal): Promise<void> {
  const back = new AbortController();
  const onOnline = () => back.abort();
  window.addEventListener('online', onOnline, { once: true });
  await wait(ms, AbortSignal.any([signal, back.signal])).catch(() => undefined);
  window.removeEventListener('online', onOnline);
  signal.throwIfAborted();
}
