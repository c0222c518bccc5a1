/** Limits on waiting for other tabs and for responses. */

/**
 * Runs `run` while holding a lock shared by all tabs. After `patienceMs` it runs without the lock, because a suspended
 * tab may hold it. Browsers without the Web Locks API run immediately.
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

/** Fetches with a timeout that includes the body. Rejects like fetch if there is no response. */
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
