/** Hashing of files, with a fake worker. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hashFile } from './hash.ts';
import type { HashMessage } from './md5.worker.ts';

class FakeWorker {
  static last: FakeWorker;
  onmessage: ((event: { data: HashMessage }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly terminate = vi.fn();
  readonly postMessage = vi.fn();

  constructor() {
    FakeWorker.last = this;
  }
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => vi.unstubAllGlobals());

const file = new File(['abcd'], 'tour.mp4');

function begin() {
  const shares: number[] = [];
  const stop = new AbortController();
  const done = hashFile(file, stop.signal, (share) => shares.push(share));
  const worker = FakeWorker.last;
  return { done, shares, stop, worker, says: (data: HashMessage) => worker.onmessage?.({ data }) };
}

test('the worker gets the file, reports progress and returns the checksum', async () => {
  const { done, shares, says, worker } = begin();
  expect(worker.postMessage).toHaveBeenCalledExactlyOnceWith(file);
  says({ done: 1 });
  says({ done: 4 });
  says({ checksum: 'md5' });
  await expect(done).resolves.toBe('md5');
  expect(shares).toEqual([0.25, 1]);
  expect(worker.terminate).toHaveBeenCalledOnce();
});

test.each(['by word', 'by breaking down'])('an unreadable file is named (%s)', async (way) => {
  const { done, says, worker } = begin();
  if (way === 'by word') says({ failed: true });
  else worker.onerror?.();
  await expect(done).rejects.toMatchObject({ message: 'Cannot read file tour.mp4', code: 'unreadable_file' });
  expect(worker.terminate).toHaveBeenCalledOnce();
});

test('aborting ends the worker with the reason of the abort', async () => {
  const { done, stop, worker } = begin();
  stop.abort(new Error('enough'));
  await expect(done).rejects.toThrow('enough');
  expect(worker.terminate).toHaveBeenCalledOnce();
});
