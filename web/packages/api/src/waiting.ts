/** Waits as long as the server asks (Retry-After), then retries automatically. */
import { ApiProblem } from './problem.ts';

/** Longest automatic wait; a longer one is shown as an error. */
const LONGEST_S = 60;
/** Longest total wait of one call, after which its error is shown. */
const PATIENCE_MS = 120_000;

/** Options for waiting. */
export interface RetryOptions {
  /** Aborts the wait; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called with the end of each wait (epoch milliseconds), and with null when the call resumes. */
  onWait?: (until: number | null) => void;
  /** The call is safe to repeat, so wait on 503 too. A 429 is always safe: nothing was done yet. */
  repeatable?: boolean;
  /** Longest single wait in seconds (60). */
  longestS?: number;
  /** Longest total wait in milliseconds (two minutes); Infinity never gives up. */
  patienceMs?: number;
}

/**
 * Makes a call and, each time it fails with an `ApiProblem` that has Retry-After, waits that long and repeats it. Calls
 * of `createApi` already do this (reads for 429 and 503, writes for a 429 of at most 10 s); use this for requests sent
 * another way, such as the bytes of an upload:
 *
 *     await retrying(() => putFile(request), { signal, repeatable: true, onWait: (until) => show(until) });
 *
 * Every wait is also registered in `waits`, which the shell displays.
 */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  type Outcome = { value: T } | { error: unknown };
  const attempt = (): Promise<Outcome> =>
    call().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  const outcome = await goOn(attempt, retryInfoOf, options);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function retryInfoOf(outcome: object): RetryInfo | null {
  return 'error' in outcome && outcome.error instanceof ApiProblem ? outcome.error : null;
}

/** The parts of a response that decide about a wait. */
interface RetryInfo {
  status: number;
  retryAfter: number | null;
}

/** Repeats `attempt` while its outcome asks to wait; resolves to the last outcome. */
export async function goOn<Outcome>(
  attempt: () => Promise<Outcome>,
  infoOf: (outcome: Outcome) => RetryInfo | null,
  { signal, onWait, repeatable = false, longestS = LONGEST_S, patienceMs = PATIENCE_MS }: RetryOptions,
): Promise<Outcome> {
  for (let waited = 0; ; ) {
    const outcome = await attempt();
    const info = infoOf(outcome);
    if (info === null || info.retryAfter === null || info.retryAfter > longestS) return outcome;
    if (info.status !== 429 && !(repeatable && info.status === 503)) return outcome;
    // Never loop without a pause, even if the server says 0.
    const ms = Math.max(1, info.retryAfter) * 1000;
    waited += ms;
    if (waited > patienceMs) return outcome;
    await sitOut(ms, signal, onWait);
  }
}

async function sitOut(ms: number, signal: AbortSignal | undefined, onWait: RetryOptions['onWait']): Promise<void> {
  const until = Date.now() + ms;
  const over = running.begin(until);
  onWait?.(until);
  try {
    await pause(ms, signal);
  } finally {
    over();
    onWait?.(null);
  }
}

/** Waits; rejects as soon as the signal aborts. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The running waits of this page. */
class Waits {
  private readonly ends = new Set<{ until: number }>();
  private readonly listeners = new Set<() => void>();

  /** Returns when the last running wait ends (epoch milliseconds), or null. */
  readonly until = (): number | null =>
    this.ends.size === 0 ? null : Math.max(...[...this.ends].map(({ until }) => until));

  /** Calls back whenever a wait starts or ends; returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  begin(until: number): () => void {
    const wait = { until };
    this.ends.add(wait);
    this.notify();
    return () => {
      this.ends.delete(wait);
      this.notify();
    };
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

const running = new Waits();

/** Whether calls wait for a busy server, and until when; shown by the shell. */
export const waits: Pick<Waits, 'until' | 'subscribe'> = running;
