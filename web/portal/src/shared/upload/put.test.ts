/** Sending raw bytes to an ingest address, with a fake XMLHttpRequest. */
import { beforeEach, expect, test, vi } from 'vitest';
import { session } from '../api/session.ts';
import { putFile, type Transfer } from './put.ts';

class FakeRequest {
  static last: FakeRequest;
  readonly done: unknown[][] = [];
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  status = 0;
  responseText = '';
  retryAfter: string | null = null;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  constructor() {
    FakeRequest.last = this;
  }
  open(...what: unknown[]) {
    this.done.push(['open', ...what]);
  }
  setRequestHeader(...what: unknown[]) {
    this.done.push(['header', ...what]);
  }
  getResponseHeader(name: string) {
    return name === 'Retry-After' ? this.retryAfter : null;
  }
  send(...what: unknown[]) {
    this.done.push(['send', ...what]);
  }
  abort() {
    this.onabort?.();
  }
  answer(status: number, text = '') {
    Object.assign(this, { status, responseText: text });
    this.onload?.();
  }
}

// After the mock server, which installs its own.
beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});

const ELSEWHERE = 'https://storage.example/bucket/key?signature=s';
const file = new File(['12345678'], 'a.bin', { type: 'text/plain' });

function send(signal = new AbortController().signal) {
  const reported: Transfer[] = [];
  const request = { url: ELSEWHERE, file, contentType: 'video/mp4', signal };
  const done = putFile({ ...request, onProgress: (transfer) => reported.push(transfer) });
  return { done, reported };
}

test('the file is sent as is to the address, with its type, without a token or a form', async () => {
  session.save('token');
  const { done } = send();
  const { last } = FakeRequest;
  last.answer(200, '{}');
  await done;
  expect(last.done).toEqual([
    ['open', 'PUT', ELSEWHERE],
    ['header', 'Content-Type', 'video/mp4'],
    ['send', file],
  ]);
});

test('it reports amount, speed and time left', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const { done, reported } = send();
  clock.mockReturnValue(3000);
  FakeRequest.last.upload.onprogress?.({ loaded: 2 });
  FakeRequest.last.answer(200);
  await done;
  expect(reported).toEqual([{ sent: 2, total: 8, speed: 1, secondsLeft: 6 }]);
  clock.mockRestore();
});

test.each([
  [
    'the message of the server',
    413,
    '{"message":"The file is larger than announced."}',
    'The file is larger than announced.',
  ],
  ['the general message if there is none', 502, '<html>', 'Something went wrong. Try again later!'],
])('a refusal has %s', async (_what, status, text, message) => {
  const { done } = send();
  FakeRequest.last.answer(status, text);
  await expect(done).rejects.toMatchObject({ status, message });
});

test('the response has the state of the upload, and a refusal the wait', async () => {
  const { done } = send();
  FakeRequest.last.answer(200, '{"uid":"u","status":"available"}');
  await expect(done).resolves.toEqual({ uid: 'u', status: 'available' });
  const later = send();
  FakeRequest.last.retryAfter = '5';
  FakeRequest.last.answer(429, '{"message":"Later","code":"too_many"}');
  await expect(later.done).rejects.toMatchObject({ status: 429, retryAfter: 5 });
});

test('a lost connection is a network failure', async () => {
  const { done } = send();
  FakeRequest.last.onerror?.();
  await expect(done).rejects.toMatchObject({ status: 500, message: 'Something went wrong. Try again later!' });
});

test('aborting ends it with the reason of the abort, also before it started', async () => {
  const stop = new AbortController();
  const { done } = send(stop.signal);
  stop.abort(new Error('stopped by the person'));
  await expect(done).rejects.toThrow('stopped by the person');
  await expect(send(stop.signal).done).rejects.toThrow('stopped by the person');
  expect(FakeRequest.last.done).toEqual([]);
});
