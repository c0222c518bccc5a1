/** Limits to waiting: for the other tabs, and for an answer. */

/**
 * Runs `run` while no other tab runs anything under this name. After `patienceMs` it runs all the same: a tab that is
 * suspended with the lock in its hands must not hold up the others. Browsers without locks run at once.
 */
export async function oneTabAtATime<T>(name: string, patienceMs: number, run: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return run();
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patienceMs);
  let begun = false;
  const start = () => {
    begun = true;
    clearTimeout(timer);
    return run();
  };
  try {
    return await navigator.locks.request(name, { signal: stop.signal }, start);
  } catch (error) {
    if (begun || !stop.signal.aborted) throw error;
    return run();
  } finally {
    clearTimeout(timer);
  }
}

/** A request that is given up after `patienceMs`, its body included. Rejects like fetch where no answer came. */
export async function fetchWithin(
  patienceMs: number,
  url: URL,
  { signal, ...init }: Omit<RequestInit, 'signal'> & { signal?: AbortSignal },
): Promise<Response> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patienceMs);
  const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  try {
    const answer = await fetch(url, { ...init, signal: either });
    const body = await answer.text();
    return new Response(body === '' ? null : body, answer);
  } finally {
    clearTimeout(timer);
  }
}
