/** Waiting as long as the server asks for (Retry-After), and going on without anybody's help. */
import { ApiProblem } from './problem.ts';

/** Longest wait that is sat out by itself; a longer one is an error the screen shows. */
const LONGEST_S = 60;
/** After so much waiting in one call its error is shown all the same. */
const PATIENCE_MS = 120_000;

/** How a call waits. */
export interface RetryOptions {
  /** Stops the waiting; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called with the time (epoch milliseconds) at which a wait ends, and with null when the call goes on. */
  onWait?: (until: number | null) => void;
  /** The call may be made twice, so a 503 is waited out too. A 429 always is: it was refused before anything was done. */
  repeatable?: boolean;
  /** Longest single wait in seconds (60). */
  longestS?: number;
  /** Longest waiting in all, in milliseconds (two minutes); Infinity never gives up. */
  patienceMs?: number;
}

/**
 * Makes a call and, each time it fails with an `ApiProblem` that carries Retry-After, waits that long and makes it
 * again. Calls of `createApi` do this by themselves (reads for 429 and 503, writes for a 429 of at most 10 s); this is
 * for what is sent another way, such as the bytes of an upload:
 *
 *     await retrying(() => putFile(request), { signal, repeatable: true, onWait: (until) => show(until) });
 *
 * Every wait is also part of `waits`, which the shell shows.
 */
export async function retrying<T>(call: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  type Outcome = { value: T } | { error: unknown };
  const attempt = (): Promise<Outcome> =>
    call().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
  const outcome = await goOn(attempt, refusalOf, options);
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function refusalOf(outcome: object): Refusal | null {
  return 'error' in outcome && outcome.error instanceof ApiProblem ? outcome.error : null;
}

/** What of an answer decides about a wait. */
interface Refusal {
  status: number;
  retryAfter: number | null;
}

/** Repeats `attempt` for as long as its outcome is a refusal worth waiting for; resolves to the last outcome. */
export async function goOn<Outcome>(
  attempt: () => Promise<Outcome>,
  refusedBy: (outcome: Outcome) => Refusal | null,
  { signal, onWait, repeatable = false, longestS = LONGEST_S, patienceMs = PATIENCE_MS }: RetryOptions,
): Promise<Outcome> {
  for (let waited = 0; ; ) {
    const outcome = await attempt();
    const refusal = refusedBy(outcome);
    if (refusal === null || refusal.retryAfter === null || refusal.retryAfter > longestS) return outcome;
    if (refusal.status !== 429 && !(repeatable && refusal.status === 503)) return outcome;
    // A server that says 0 is not asked in a loop without a pause.
    const ms = Math.max(1, refusal.retryAfter) * 1000;
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

/** Waits; rejects at once when stopped. */
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

/** The waits of this page. */
class Waits {
  private readonly ends = new Set<{ until: number }>();
  private readonly listeners = new Set<() => void>();

  /** When the last wait that is running now ends (epoch milliseconds); null while nothing waits. */
  readonly until = (): number | null =>
    this.ends.size === 0 ? null : Math.max(...[...this.ends].map(({ until }) => until));

  /** Calls back whenever a wait begins or ends; returns the way to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  begin(until: number): () => void {
    const wait = { until };
    this.ends.add(wait);
    this.tell();
    return () => {
      this.ends.delete(wait);
      this.tell();
    };
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

const running = new Waits();

/** For the shell: whether calls wait for the server, and until when. */
export const waits: Pick<Waits, 'until' | 'subscribe'> = running;
