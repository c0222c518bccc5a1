/** The upload protocol, with fakes for what jsdom lacks (worker, upload progress). */
import type { FileIn, UploadOut } from '@vitrine/api';
import { beforeEach, expect, test, vi } from 'vitest';
import { answering, is, pending } from '../testing/sending.ts';
import { putFile } from './put.ts';
import { type UploadPhase, upload } from './upload.ts';

vi.mock('./hash.ts', () => ({ hashFile: async () => 'rL0Y20zC+Fzt72VPzMSk2A==' }));
vi.mock('./put.ts', () => ({ putFile: vi.fn(async () => null) }));

const file = (type = 'video/mp4') => new File(['bytes'], 'tour.mp4', { type, lastModified: 7 });

beforeEach(() => {
  vi.mocked(putFile).mockClear();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

function run(chosen: File, created: UploadOut = pending) {
  const phases: UploadPhase['step'][] = [];
  const described: FileIn[] = [];
  const done = upload({
    file: chosen,
    create: async (description) => {
      described.push(description);
      return created;
    },
    signal: new AbortController().signal,
    onPhase: ({ step }) => phases.push(step),
  });
  return { done, phases, described };
}

test('the file is described, sent and verified, in that order', async () => {
  const asked = answering(is({ status: 'pending' }), is({ status: 'available' }));
  const { done, phases, described } = run(file());
  await expect(done).resolves.toEqual(pending);
  expect(phases).toEqual(['hashing', 'sending', 'checking']);
  expect(described).toEqual([
    { name: 'tour.mp4', lastModified: 7, size: 5, type: 'video/mp4', checksum: 'rL0Y20zC+Fzt72VPzMSk2A==' },
  ]);
  expect(vi.mocked(putFile).mock.calls[0]?.[0]).toMatchObject({ url: pending.ingest?.url, contentType: 'video/mp4' });
  expect(asked).toHaveLength(2);
});

test('a file of unknown type is sent as application/octet-stream', async () => {
  answering(is({ status: 'available' }));
  const { done, described } = run(file(''));
  await done;
  expect(described[0]?.type).toBe('application/octet-stream');
});

test('a rejected upload fails at once with the reason of the server', async () => {
  const asked = answering(is({ status: 'rejected', reason: 'The file does not match its checksum.' }));
  await expect(run(file()).done).rejects.toThrow('The file does not match its checksum.');
  expect(asked).toHaveLength(1);
});

test('an upload that never arrives is given up after six polls', async () => {
  const asked = answering(is({ status: 'pending' }));
  await expect(run(file()).done).rejects.toThrow('The server is still checking this file. Try again.');
  expect(asked).toHaveLength(6);
  expect(console.error).toHaveBeenCalledWith('Upload not available');
});

test('an answer without an ingest address sends nothing', async () => {
  await expect(run(file(), { uid: 'u', status: 'pending' }).done).rejects.toThrow(
    'Something went wrong. Try again later!',
  );
  expect(console.error).toHaveBeenCalledWith('API did not return ingest object');
  expect(putFile).not.toHaveBeenCalled();
});
