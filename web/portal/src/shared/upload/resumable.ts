/** Sends a large file in a way that survives a cut line (tus 1.0): what arrived is not sent again. */
import { ApiProblem } from '@vitrine/api';
import { wait } from '../lib/retry.ts';
import { type Transfer, transferOf } from './put.ts';

/** From this size on files are sent so; 64 MB in base 1024 (C-66). */
export const RESUMABLE_FROM = 64 * 1024 * 1024;

interface ResumableRequest {
  /** The ingest address. */
  url: string;
  file: File;
  contentType: string;
  /** Where an earlier try got its own address. */
  known: string | null;
  signal: AbortSignal;
  onProgress: (transfer: Transfer) => void;
  /** The address of this upload, to go on at later. */
  onAddress: (address: string) => void;
  /** The line is gone; it goes on by itself. */
  onCut: () => void;
}

/** Pauses between tries without progress, in milliseconds; the last one is repeated. */
const PAUSES = [500, 1000, 2000, 4000, 8000, 15_000];
/** Tries in a row without progress on a line that seems to be there, before people are asked. */
const TRIES = 20;
/** Answers that may be another one a moment later. */
const PASSING = [408, 409, 423, 429];

/** Resolves once the last byte is acknowledged. */
export async function sendResumable(request: ResumableRequest): Promise<void> {
  const { signal, onCut } = request;
  const attempt = await prepare(request);
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    const { error, moved } = await attempt();
    if (error === null) return;
    signal.throwIfAborted();
    if (moved) tries = 0;
    const status = statusOf(error);
    const passing = status === 0 || status >= 500 || PASSING.includes(status);
    if (!passing) throw ApiProblem.from(status, bodyOf(error));
    if (tries >= TRIES && navigator.onLine) throw ApiProblem.network();
    onCut();
    await lineOr(PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 0, signal);
  }
}

interface Outcome {
  error: Error | null;
  /** Whether any byte got through. */
  moved: boolean;
}

/** Answers a function that tries once; each try begins where the server is. */
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
      // The first news tells where it goes on.
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

/** Waits that long, but no longer than until the browser says that the line is back. */
async function lineOr(ms: number, signal: AbortSignal): Promise<void> {
  const back = new AbortController();
  const onLine = () => back.abort();
  window.addEventListener('online', onLine, { once: true });
  await wait(ms, AbortSignal.any([signal, back.signal])).catch(() => undefined);
  window.removeEventListener('online', onLine);
}

/** Of the answer, or 0 where there was none. */
function statusOf(error: Error): number {
  return responseOf(error)?.getStatus() ?? 0;
}

function bodyOf(error: Error): unknown {
  try {
    return JSON.parse(responseOf(error)?.getBody() ?? '');
  } catch {
    return null;
  }
}

interface Answer {
  getStatus(): number;
  getBody(): string;
}

function responseOf(error: Error): Answer | null {
  return 'originalResponse' in error ? (error.originalResponse as Answer | null) : null;
}
