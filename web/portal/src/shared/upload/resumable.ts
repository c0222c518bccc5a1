/** Resumable upload of large files (tus 1.0). */
import { ApiProblem, type RetryOptions, retrying } from '@vitrine/api';
import { PAUSES, untilOnline } from './connection.ts';
import { type Transfer, transferOf } from './put.ts';

/** Files of this size or larger are uploaded resumably: 64 MiB. */
export const RESUMABLE_FROM = 64 * 1024 * 1024;

interface ResumableRequest {
  /** The ingest address. */
  url: string;
  file: File;
  contentType: string;
  /** The tus URL of an earlier attempt. */
  known: string | null;
  signal: AbortSignal;
  onProgress: (transfer: Transfer) => void;
  /** Receives the tus URL, for resuming later. */
  onAddress: (address: string) => void;
  /** The connection was lost; the upload resumes automatically. */
  onCut: () => void;
  /** How to wait for a busy server. */
  waiting: RetryOptions;
}

/** Consecutive attempts without progress while online, before the upload fails. */
const TRIES = 20;
/** Statuses that may pass with a later attempt. */
const PASSING = [408, 409, 423, 429];
/** Codes of a permanent 409: the file has arrived or was rejected. */
const OVER = ['already_available', 'already_rejected'];

/** Resolves once the last byte is acknowledged. */
export async function sendResumable(request: ResumableRequest): Promise<void> {
  const { signal, onCut, waiting } = request;
  const attempt = await prepare(request);
  let moved = false;
  const once = async () => {
    signal.throwIfAborted();
    const outcome = await attempt();
    moved ||= outcome.moved;
    if (outcome.error !== null) throw problemOf(outcome.error);
  };
  for (let tries = 0; ; tries += 1) {
    moved = false;
    try {
      return await retrying(once, { ...waiting, signal, repeatable: true });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiProblem)) throw error;
      const { status, code } = error;
      const passing = status === 0 || status >= 500 || PASSING.includes(status);
      if (!passing || OVER.includes(code)) throw error;
      if (moved) tries = 0;
      if (tries >= TRIES && navigator.onLine) throw ApiProblem.network();
      onCut();
      await untilOnline(PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 0, signal);
    }
  }
}

interface Outcome {
  error: Error | null;
  /** Whether any bytes were sent. */
  moved: boolean;
}

/** Returns a function that makes one attempt, starting at the server's offset. */
async function prepare({ url, file, contentType, known, signal, onProgress, onAddress }: ResumableRequest) {
  const { Upload } = await import('tus-js-client');
  const run = { moved: false, from: -1, began: 0, settle: (_error: Error | null) => {} };
  const upload = new Upload(file, {
    endpoint: new URL('/v1/uploads/tus', url).href,
    uploadUrl: known,
    metadata: { ingest: url, filename: file.name, filetype: contentType },
    retryDelays: null,
    storeFingerprintForResuming: false,
    onUploadUrlAvailable: () => onAddress(upload.url ?? ''),
    onProgress: (sent) => {
      // The first report gives the offset the upload resumes at.
      if (run.from === -1) Object.assign(run, { from: sent, began: performance.now() });
      run.moved ||= sent > run.from;
      onProgress(transferOf(sent, file.size, performance.now() - run.began, run.from));
    },
    onError: (error) => run.settle(error),
    onSuccess: () => run.settle(null),
  });
  return async (): Promise<Outcome> => {
    Object.assign(run, { moved: false, from: -1 });
    const stop = () => {
      void upload.abort();
      run.settle(new Error('stopped'));
    };
    const error = await new Promise<Error | null>((settle) => {
      run.settle = settle;
      signal.addEventListener('abort', stop, { once: true });
      upload.start();
    });
    signal.removeEventListener('abort', stop);
    return { error, moved: run.moved };
  };
}

/** Returns the server's response as a problem; status 0 if there was no response. */
function problemOf(error: Error): ApiProblem {
  const answer = responseOf(error);
  if (answer === null) return new ApiProblem(0, '');
  const headers = new Headers({ 'Retry-After': answer.getHeader('Retry-After') ?? '' });
  return ApiProblem.from(answer.getStatus(), bodyOf(answer), headers);
}

function bodyOf(answer: TusAnswer): unknown {
  try {
    return JSON.parse(answer.getBody());
  } catch {
    return null;
  }
}

interface TusAnswer {
  getStatus(): number;
  getBody(): string;
  getHeader(name: string): string | undefined;
}

function responseOf(error: Error): TusAnswer | null {
  return 'originalResponse' in error ? (error.originalResponse as TusAnswer | null) : null;
}
