/** Uploading despite lost responses and busy servers: a file that arrived is neither sent twice nor reported as failed. */
import { ApiProblem, type UploadOut } from '@vitrine/api';
import { beforeEach, expect, test, vi } from 'vitest';
import { answering, is, known, pending, sendFile, testClock } from '../testing/sending.ts';
import { problem } from '../testing/server.ts';
import { hashFile } from './hash.ts';
import { putFile } from './put.ts';

vi.mock('./hash.ts', () => ({ hashFile: vi.fn(async () => 'md5') }));
vi.mock('./put.ts', () => ({ putFile: vi.fn() }));

const available: UploadOut = { uid: 'u', status: 'available' };
const busy = (seconds: number) => new ApiProblem(429, 'Later', 'too_many', {}, seconds);
const placing = () => vi.fn(async () => pending);

testClock();
beforeEach(() => {
  vi.mocked(hashFile).mockClear();
  vi.mocked(putFile).mockReset();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

test("the server's response ends the upload, without polling", async () => {
  vi.mocked(putFile).mockResolvedValue(available);
  const asked = answering(is(available));
  expect((await sendFile()).outcome).toBe('done');
  expect(asked).toEqual([]);
});

test('after a lost response the status is checked, and the file is not sent again', async () => {
  vi.mocked(putFile).mockRejectedValue(ApiProblem.network());
  answering(is(available));
  expect((await sendFile()).outcome).toBe('done');
  expect(putFile).toHaveBeenCalledOnce();
});

test('after a lost connection the same upload continues', async () => {
  vi.mocked(putFile).mockRejectedValueOnce(ApiProblem.network()).mockRejectedValueOnce(ApiProblem.network());
  vi.mocked(putFile).mockResolvedValue(available);
  answering(Response.error, is({ status: 'pending' }));
  const create = placing();
  const { outcome } = await sendFile(create);
  expect(outcome).toBe('done');
  expect(putFile).toHaveBeenCalledTimes(3);
  expect(create).toHaveBeenCalledOnce();
});

test('a file that had already arrived is done', async () => {
  vi.mocked(putFile).mockRejectedValue(
    new ApiProblem(409, 'This file has already been uploaded.', 'already_available'),
  );
  expect((await sendFile()).outcome).toBe('done');
});

test('an upload whose response was lost is checked first: nothing is hashed, created or sent', async () => {
  answering(is(available));
  const create = placing();
  const { outcome } = await sendFile(create, known);
  expect(outcome).toBe('done');
  expect([vi.mocked(hashFile), create, vi.mocked(putFile)].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
});

test('a server without a free slot is waited for as long as it says, with the same upload', async () => {
  vi.mocked(putFile).mockRejectedValueOnce(busy(5)).mockRejectedValueOnce(busy(2)).mockResolvedValue(available);
  const asked = answering(is({ status: 'pending' }));
  const create = placing();
  const { outcome, paused } = await sendFile(create);
  expect([outcome, paused, asked]).toEqual(['done', [5000, 7000], []]);
  expect(create).toHaveBeenCalledOnce();
});

test('a rate-limited request is repeated after the wait', async () => {
  vi.mocked(putFile).mockResolvedValue(available);
  const { outcome, paused } = await sendFile(placing().mockRejectedValueOnce(busy(3)));
  expect([outcome, paused]).toEqual(['done', [3000]]);
});

test('a rate-limited status call is repeated after the wait', async () => {
  vi.mocked(putFile).mockRejectedValue(ApiProblem.network());
  const later = () => Response.json({ message: 'Later' }, { status: 429, headers: { 'Retry-After': '4' } });
  answering(later, is(available));
  expect((await sendFile()).outcome).toBe('done');
  expect(putFile).toHaveBeenCalledOnce();
});

test('a rejected file shows why', async () => {
  vi.mocked(putFile).mockRejectedValue(new ApiProblem(409, 'This upload was rejected.', 'already_rejected'));
  answering(
    is({
      status: 'rejected',
      reason: 'checksum_mismatch',
      message: 'This is not the announced file: its checksum differs.',
    }),
  );
  expect((await sendFile()).outcome).toBe('This is not the announced file: its checksum differs.');
});

test('a failing server is given up after six pauses', async () => {
  vi.mocked(putFile).mockRejectedValue(new ApiProblem(500, 'Down'));
  answering(() => problem(500, 'Down'));
  expect((await sendFile()).outcome).toBe('Down');
  expect(putFile).toHaveBeenCalledTimes(7);
});
