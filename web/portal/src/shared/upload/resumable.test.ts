/** Sending over an unreliable connection, with a scripted tus client. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendResumable } from './resumable.ts';

interface Options {
  endpoint: string;
  uploadUrl: string | null;
  metadata: Record<string, string>;
  onUploadUrlAvailable: () => void;
  onProgress: (sent: number) => void;
  onError: (error: Error) => void;
  onSuccess: () => void;
}

/** What each start of the client does, in turn. */
let plan: ((options: Options) => void)[] = [];
const made = vi.hoisted(() => ({ options: [] as unknown[], starts: 0, aborted: 0 }));
vi.mock('tus-js-client', () => ({
  Upload: class {
    url = 'http://x/v1/uploads/tus/1';
    options: Options;
    constructor(_file: File, options: Options) {
      this.options = options;
      made.options.push(options);
    }
    start() {
      made.starts += 1;
      plan.shift()?.(this.options);
    }
    async abort() {
      made.aborted += 1;
    }
  },
}));

const answered = (
  status: number,
  message = '',
  { code = 'x', retryAfter }: { code?: string; retryAfter?: string } = {},
) =>
  Object.assign(new Error('tus'), {
    originalResponse: {
      getStatus: () => status,
      getBody: () => JSON.stringify({ message, code }),
      getHeader: (name: string) => (name === 'Retry-After' ? retryAfter : undefined),
    },
  });
const cut = () => Object.assign(new Error('tus'), { originalResponse: null });

beforeEach(() => {
  Object.assign(made, { options: [], starts: 0, aborted: 0 });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function send(signal = new AbortController().signal, known: string | null = null) {
  const reported: string[] = [];
  const done = sendResumable({
    url: 'http://x/v1/ingest/token',
    file: new File(['12345'], 'film.mp4'),
    contentType: 'video/mp4',
    known,
    signal,
    onProgress: ({ sent }) => reported.push(`sent ${sent}`),
    onAddress: (address) => reported.push(address),
    onCut: () => reported.push('cut'),
    waiting: {
      patienceMs: Number.POSITIVE_INFINITY,
      onWait: (until) => until !== null && reported.push(`until ${until - Date.now()}`),
    },
  }).then(
    () => 'done',
    (error: Error) => error.message,
  );
  return { done, reported };
}

test('the tus URL is reported, and a lost connection is waited out', async () => {
  plan = [
    (o) => {
      o.onUploadUrlAvailable();
      o.onProgress(2);
      o.onProgress(3);
      o.onError(cut());
    },
    (o) => {
      o.onProgress(3);
      o.onSuccess();
    },
  ];
  const { done, reported } = send();
  await vi.advanceTimersByTimeAsync(600);
  expect(await done).toBe('done');
  expect(reported).toEqual(['http://x/v1/uploads/tus/1', 'sent 2', 'sent 3', 'cut', 'sent 3']);
  expect(made.options[0]).toMatchObject({
    endpoint: 'http://x/v1/uploads/tus',
    uploadUrl: null,
    metadata: { ingest: 'http://x/v1/ingest/token', filename: 'film.mp4', filetype: 'video/mp4' },
  });
});

test('being back online ends the wait at once', async () => {
  plan = [(o) => o.onError(cut()), (o) => o.onError(cut()), (o) => o.onError(cut()), (o) => o.onSuccess()];
  const { done } = send();
  await vi.advanceTimersByTimeAsync(1600);
  expect(made.starts).toBe(3);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await done).toBe('done');
});

test('a refusal fails at once with the reason, a busy server is retried', async () => {
  plan = [
    (o) => o.onError(answered(423)),
    (o) => o.onError(answered(503)),
    (o) => o.onError(answered(403, 'Too late')),
  ];
  const { done } = send();
  await vi.advanceTimersByTimeAsync(1600);
  expect(await done).toBe('Too late');
  expect(made.starts).toBe(3);
});

test('a server that never responds is given up after twenty attempts', async () => {
  plan = Array.from({ length: 30 }, () => (o: Options) => o.onError(answered(502)));
  const { done } = send();
  await vi.advanceTimersByTimeAsync(400_000);
  expect(await done).toBe('Something went wrong. Try again later!');
  expect(made.starts).toBe(21);
});

test('aborting ends it, also while waiting', async () => {
  plan = [(o) => o.onError(cut())];
  const stop = new AbortController();
  const { done } = send(stop.signal, 'http://x/v1/uploads/tus/9');
  await vi.advanceTimersByTimeAsync(100);
  stop.abort(new Error('stopped by the person'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await done).toBe('stopped by the person');
  expect(made.options[0]).toMatchObject({ uploadUrl: 'http://x/v1/uploads/tus/9' });
});

test('a busy server is retried after each Retry-After, without limit', async () => {
  plan = Array.from({ length: 25 }, () => (o: Options) => o.onError(answered(429, 'Later', { retryAfter: '7' })));
  plan.push((o) => o.onSuccess());
  const { done, reported } = send();
  await vi.advanceTimersByTimeAsync(6999);
  expect([made.starts, reported]).toEqual([1, ['until 7000']]);
  await vi.advanceTimersByTimeAsync(25 * 7000);
  expect(await done).toBe('done');
  expect(made.starts).toBe(26);
});

test('a file that has already arrived is not retried', async () => {
  plan = [(o) => o.onError(answered(409, 'This file has already been uploaded.', { code: 'already_available' }))];
  expect(await send().done).toBe('This file has already been uploaded.');
  expect(made.starts).toBe(1);
});
