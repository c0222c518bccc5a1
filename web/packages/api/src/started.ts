/** Reads that were sent before the application was loaded. */

/** What the page's first script leaves in `window.vitrineStarted`. */
interface Started {
  /** The token of the calls. */
  token: string;
  /** Responses by path. */
  answers: Record<string, Promise<Response>>;
}

declare global {
  interface Window {
    vitrineStarted?: Started;
  }
}

/**
 * Returns the response to the same read sent with the same token, once; null if there is none. Throws if that read failed, as
 * `fetch` would. The application deletes what its first screen has not asked for: later it would be out of date.
 */
export async function takeStarted(request: Request, token: string | null): Promise<Response | null> {
  const { vitrineStarted: started } = window;
  if (started === undefined || started.token !== token || request.method !== 'GET') return null;
  const { pathname, search } = new URL(request.url);
  const answer = started.answers[pathname + search];
  if (answer === undefined) return null;
  delete started.answers[pathname + search];
  const response = await answer;
  request.signal.throwIfAborted();
  return response;
}
