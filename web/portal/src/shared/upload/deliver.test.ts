/** Sending through lost answers and busy servers: what arrived is neither sent twice nor reported as failed. */
import { ApiProblem, type UploadOut } from '@vitrine/api';
import { http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem, server } from '../testing/server.ts';
import { hashFile } from './hash.ts';
import { putFile } from './put.ts';
import { type Begun, type UploadPhase, upload } from './upload.ts';

vi.mock('./hash.ts', () => ({ hashFile: vi.fn(async () => 'md5') }));
vi.mock('./put.ts', () => ({ putFile: vi.fn() }));

const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/x' };
const known: Begun = { uid: 'u', ingest: ingest.url, checksum: 'md5', address: null };
const available: UploadOut = { uid: 'u', status: 'available' };
const busy = (seconds: number) => new ApiProblem(429, 'Later', 'too_many', {}, seconds);

beforeEach(() => {
  vi.mocked(hashFile).mockClear();
  vi.mocked(putFile).mockReset();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers status calls with these, the last one for good; counts them. */
function answering(...answers: (() => Response)[]) {
  const seen = { asked: 0 };
  server.use(
    http.get('*/v1/uploads/u', () => {
      seen.asked += 1;
      return (answers[Math.min(seen.asked, answers.length) - 1] ?? Response.error)();
    }),
  );
  return seen;
}

const is = (fields: Partial<UploadOut>) => () => Response.json({ ...available, ...fields });

async function run(
  begun: Begun | null = null,
  create = vi.fn(async (): Promise<UploadOut> => ({ uid: 'u', status: 'pending', ingest })),
) {
  const phases: UploadPhase[] = [];
  let over = false;
  const done = upload({
    file: new File(['bytes'], 'a.mp4'),
    create,
    begun,
    signal: new AbortController().signal,
    onPhase: (phase) => phases.push(phase),
  })
    .then(
      () => 'done',
      (error: Error) => error.message,
    )
    .finally(() => {
      over = true;
    });
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
  }
  const paused = phases.flatMap((phase) => (phase.step === 'paused' ? [phase.until] : []));
  return { outcome: await done, paused, create };
}

test('the answer of the server is the end of it, without another question', async () => {
  vi.mocked(putFile).mockResolvedValue(available);
  const seen = answering(is({}));
  expect((await run()).outcome).toBe('done');
  expect(seen.asked).toBe(0);
});

test('an answer that is lost is asked for, and the file is not sent again', async () => {
  vi.mocked(putFile).mockRejectedValue(ApiProblem.network());
  answering(is({}));
  expect((await run()).outcome).toBe('done');
  expect(putFile).toHaveBeenCalledOnce();
});

test('a line that comes back is used for the rest, in the same place', async () => {
  vi.mocked(putFile).mockRejectedValueOnce(ApiProblem.network()).mockRejectedValueOnce(ApiProblem.network());
  vi.mocked(putFile).mockResolvedValue(available);
  answering(Response.error, is({ status: 'pending' }));
  const { outcome, create } = await run();
  expect(outcome).toBe('done');
  expect(putFile).toHaveBeenCalledTimes(3);
  expect(create).toHaveBeenCalledOnce();
});

test('a file that had arrived already is done', async () => {
  vi.mocked(putFile).mockRejectedValue(
    new ApiProblem(409, 'This file has already been uploaded.', 'already_available'),
  );
  expect((await run()).outcome).toBe('done');
});

test('a place whose answer was lost is asked about first: nothing is read, announced or sent', async () => {
  answering(is({}));
  const { outcome, create } = await run(known);
  expect(outcome).toBe('done');
  expect([vi.mocked(hashFile), create, vi.mocked(putFile)].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
});

test('a server without a free place is waited for as long as it says, in the same place', async () => {
  vi.mocked(putFile).mockRejectedValueOnce(busy(5)).mockRejectedValueOnce(busy(2)).mockResolvedValue(available);
  const seen = answering(is({ status: 'pending' }));
  const { outcome, paused, create } = await run();
  expect([outcome, paused, seen.asked]).toEqual(['done', [5000, 7000], 0]);
  expect(create).toHaveBeenCalledOnce();
});

test('a request that is refused for its rate is made again after the wait', async () => {
  vi.mocked(putFile).mockResolvedValue(available);
  const create = vi.fn<() => Promise<UploadOut>>();
  create.mockRejectedValueOnce(busy(3)).mockResolvedValue({ uid: 'u', status: 'pending', ingest });
  const { outcome, paused } = await run(null, create);
  expect([outcome, paused]).toEqual(['done', [3000]]);
});

test('a status call that is refused for its rate is made again after the wait', async () => {
  vi.mocked(putFile).mockRejectedValue(ApiProblem.network());
  const later = () => Response.json({ message: 'Later' }, { status: 429, headers: { 'Retry-After': '4' } });
  answering(later, is({}));
  expect((await run()).outcome).toBe('done');
  expect(putFile).toHaveBeenCalledOnce();
});

test('a file that was turned away says why', async () => {
  vi.mocked(putFile).mockRejectedValue(new ApiProblem(409, 'This upload was rejected.', 'already_rejected'));
  answering(is({ status: 'rejected', reason: 'checksum_mismatch', message: 'Its checksum differs.' }));
  expect((await run()).outcome).toBe('Its checksum differs.');
});

test('a server that stays in trouble is given up after six pauses', async () => {
  vi.mocked(putFile).mockRejectedValue(new ApiProblem(500, 'Down'));
  answering(() => problem(500, 'Down'));
  expect((await run()).outcome).toBe('Down');
  expect(putFile).toHaveBeenCalledTimes(7);
});
