/** Waiting until an upload is verified: polling, retries, and what is only logged. */
import { ApiProblem } from '@vitrine/api';
import { beforeEach, expect, test, vi } from 'vitest';
import { answering, is, sendFile, testClock } from '../testing/sending.ts';
import { problem } from '../testing/server.ts';
import { putFile } from './put.ts';

vi.mock('./hash.ts', () => ({ hashFile: async () => 'rL0Y20zC+Fzt72VPzMSk2A==' }));
vi.mock('./put.ts', () => ({ putFile: vi.fn(async () => null) }));

const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const logged = () => log.mock.calls.map(([text]) => text);

testClock();
beforeEach(() => log.mockClear());

test('a server that fails or does not know the upload yet is polled again', async () => {
  const times = answering(
    () => problem(500, 'Down'),
    () => problem(404, 'Upload not found'),
    Response.error,
    is({ status: 'available' }),
  );
  const { outcome } = await sendFile();
  expect([outcome, times]).toEqual(['done', [0, 100, 300, 700]]);
  expect(logged()).toEqual([]);
});

test('polling ends after five retries with doubling delays', async () => {
  const times = answering(is({ status: 'pending' }));
  await sendFile();
  expect(times).toEqual([0, 100, 300, 700, 1500, 3100]);
  expect(logged()).toContain('Upload not available');
});

test('a lost connection is waited out: the bytes are uploaded', async () => {
  const away = Array.from({ length: 8 }, () => Response.error);
  const times = answering(...away, is({ status: 'available' }));
  const { outcome } = await sendFile();
  expect([outcome, times]).toEqual(['done', [0, 100, 300, 700, 1500, 3100, 3600, 4600, 6600]]);
});

test('a rejected upload is not polled again', async () => {
  const message = 'The file is not what its type and name say.';
  const times = answering(is({ status: 'rejected', reason: 'content_mismatch', message }));
  const { outcome } = await sendFile();
  expect([outcome, times]).toEqual([message, [0]]);
  expect(logged()).toEqual(['Upload was rejected']);
});

test('a response without an ingest address is logged', async () => {
  await sendFile(async () => ({ uid: 'u', status: 'pending' }));
  expect(logged()).toEqual(['API did not return ingest object']);
});

test('refused bytes are logged, and the reason is shown', async () => {
  vi.mocked(putFile).mockRejectedValueOnce(new ApiProblem(413, 'The file is larger than announced.'));
  const times = answering();
  const { outcome } = await sendFile();
  expect([outcome, times]).toEqual(['The file is larger than announced.', []]);
  expect(logged()).toEqual(['Upload failed to be ingested']);
});
