/** Waiting for an upload to be taken: how often is asked, what is repeated, and what the log alone is told. */
import { ApiProblem, type UploadOut } from '@vitrine/api';
import { http } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problem, server } from '../testing/server.ts';
import { putFile } from './put.ts';
import { upload } from './upload.ts';

vi.mock('./hash.ts', () => ({ hashFile: async () => 'rL0Y20zC+Fzt72VPzMSk2A==' }));
vi.mock('./put.ts', () => ({ putFile: vi.fn(async () => null) }));

const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
const logged = () => log.mock.calls.map(([text]) => text);

beforeEach(() => {
  log.mockClear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends a file, with these answers to the poll, the last one for ever; the times of the polls in milliseconds. */
async function sending(answers: (() => Response)[], created?: UploadOut) {
  const times: number[] = [];
  const began = Date.now();
  server.use(
    http.get('*/v1/uploads/u', () => {
      times.push(Date.now() - began);
      return (answers[Math.min(times.length, answers.length) - 1] ?? Response.error)();
    }),
  );
  const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/x' };
  let over = false;
  const done = upload({
    file: new File(['bytes'], 'a.mp4'),
    create: async () => created ?? { uid: 'u', status: 'pending', ingest },
    signal: new AbortController().signal,
    onPhase: () => undefined,
  })
    .then(
      () => 'done',
      (error: Error) => error.message,
    )
    .finally(() => {
      over = true;
    });
  while (!over) {
    // Answers of the mock server come by real events, the pauses by the clock of the test.
    await new Promise((resolve) => setImmediate(resolve));
    if (vi.getTimerCount() > 0) vi.advanceTimersToNextTimer();
  }
  return { outcome: await done, times };
}

const answer = (fields: Partial<UploadOut>) => () => Response.json({ uid: 'u', ...fields });

test('a server that fails, or knows nothing of it yet, is asked again', async () => {
  const { outcome, times } = await sending([
    () => problem(500, 'Down'),
    () => problem(404, 'Upload not found'),
    () => Response.error(),
    answer({ status: 'available' }),
  ]);
  expect([outcome, times]).toEqual(['done', [0, 100, 300, 700]]);
  expect(logged()).toEqual([]);
});

test('after five repeats with doubling pauses it is over', async () => {
  const { times } = await sending([answer({ status: 'pending' })]);
  expect(times).toEqual([0, 100, 300, 700, 1500, 3100]);
  expect(logged()).toContain('Upload not available');
});

test('a line that stays away is waited for: the bytes are there', async () => {
  const away = Array.from({ length: 8 }, () => () => Response.error());
  const { outcome, times } = await sending([...away, answer({ status: 'available' })]);
  expect([outcome, times]).toEqual(['done', [0, 100, 300, 700, 1500, 3100, 3600, 4600, 6600]]);
});

test('a rejected upload is not asked for again', async () => {
  const message = 'The file is not what its type and name say.';
  const { outcome, times } = await sending([answer({ status: 'rejected', reason: 'content_mismatch', message })]);
  expect([outcome, times]).toEqual([message, [0]]);
  expect(logged()).toEqual(['Upload was rejected']);
});

test('an answer without an ingest address is told to the log', async () => {
  await sending([], { uid: 'u', status: 'pending' });
  expect(logged()).toEqual(['API did not return ingest object']);
});

test('bytes that are not taken are told to the log, and people hear the reason', async () => {
  vi.mocked(putFile).mockRejectedValueOnce(new ApiProblem(413, 'More bytes came than announced.'));
  const { outcome, times } = await sending([]);
  expect([outcome, times]).toEqual(['More bytes came than announced.', []]);
  expect(logged()).toEqual(['Upload failed to be ingested']);
});
