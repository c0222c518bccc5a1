/** Waiting for a line that is cut. */
import { wait } from '../lib/retry.ts';

/** Pauses between tries without progress, in milliseconds. */
export const PAUSES = [500, 1000, 2000, 4000, 8000, 15_000];

/** Waits that long, but no longer than until the browser says that the line is back. */
export async function lineOr(ms: number, signal: AbortSignal): Promise<void> {
  const back = new AbortController();
  const onLine = () => back.abort();
  window.addEventListener('online', onLine, { once: true });
  await wait(ms, AbortSignal.any([signal, back.signal])).catch(() => undefined);
  window.removeEventListener('online', onLine);
  signal.throwIfAborted();
}
