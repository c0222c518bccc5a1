/** The file section of the edit dialog: upload report and replacement. */
import { act, fireEvent, screen, within } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { content } from '~/shared/testing/content.ts';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { ORG, problem, server } from '~/shared/testing/server.ts';
import { hashFile } from '~/shared/upload/hash.ts';
import type { UploadReports } from './api/content-queries.ts';
import { uploads } from './api/upload-queue.ts';
import { FileSection } from './parts/file-section.tsx';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: vi.fn() }));

afterEach(() => act(() => uploads.belongTo('')));

const video = content('c', 'Film', {
  kind: 'video',
  durationMs: 65_000,
  file: { name: 'film.mp4', size: 1536, type: 'video/mp4', lastModified: 7, checksum: 'x' },
});

const served: NonNullable<UploadReports['served']> = {
  uid: 'u1',
  status: 'available',
  declared: { name: 'film.mp4', size: 1536, type: 'video/mp4', checksum: 'md5-declared', lastModified: 7 },
  received: { size: 1536, type: 'video/mp4', checksum: 'md5-received', sha256: 'sha-received' },
  codecs: 'h264, aac',
  timeAnnounced: '2026-11-20T06:00:00.000Z',
};

const newer: NonNullable<UploadReports['newer']> = {
  uid: 'u2',
  status: 'rejected',
  reason: 'checksum_mismatch',
  message: 'This is not the announced file: its checksum differs.',
  declared: { name: 'film-2.mp4', size: 2048, type: 'video/mp4', checksum: 'md5-two', lastModified: 8 },
  received: { size: 1000, type: null, checksum: null, sha256: null },
  timeAnnounced: '2026-11-20T07:00:00.000Z',
};

const reporting = (reports: UploadReports) =>
  server.use(http.get('*/v1/content/c/upload', () => Response.json(reports)));

/** Opens the report; returns its details by name. */
async function report(before: () => void = () => undefined, item: ContentOut = video) {
  const { user } = renderPart(<FileSection content={item} />);
  before();
  const details = screen.getByText('Upload report').closest('details');
  if (details === null) throw new Error('no report');
  details.open = true;
  fireEvent(details, new Event('toggle'));
  const detailsOf = async (title: string) => {
    const part = await screen.findByRole('region', { name: title });
    const names = within(part).getAllByRole('term');
    const values = within(part).getAllByRole('definition');
    return Object.fromEntries(names.map((name, index) => [name.textContent, values[index]?.textContent]));
  };
  return { user, detailsOf };
}

test('the report shows what was declared, received and detected', async () => {
  reporting({ served });
  const { detailsOf } = await report();
  expect(await detailsOf('Current file')).toEqual({
    Status: 'Available',
    Declared: 'film.mp4, 1.5 KB (1536 bytes), video/mp4',
    'Declared MD5': 'md5-declared',
    Received: '1.5 KB (1536 bytes), video/mp4',
    'Received MD5': 'md5-received',
    'SHA-256': 'sha-received',
    Codecs: 'h264, aac',
    Duration: '1:05',
    Processing: 'Done',
  });
  expect(screen.queryByRole('region', { name: 'Newer upload' })).toBeNull();
});

test('a rejected newer upload shows why, and the current file stays', async () => {
  reporting({ served: { ...served, codecs: null }, newer });
  const failed = {
    code: 'interrupted',
    message: 'The file is damaged or was cut off: it contains less than its header says.',
  } as const;
  const { detailsOf } = await report(undefined, {
    ...video,
    durationMs: null,
    processing: 'failed',
    processingError: failed,
  });
  expect(await detailsOf('Newer upload')).toEqual({
    Status: 'Rejected',
    Reason: 'This is not the announced file: its checksum differs.',
    Declared: 'film-2.mp4, 2 KB (2048 bytes), video/mp4',
    'Declared MD5': 'md5-two',
    Received: '1000 Bytes (1000 bytes)',
    'Received MD5': 'N/A',
    'SHA-256': 'N/A',
  });
  const shown = await detailsOf('Current file');
  expect([shown.Codecs, shown.Duration, shown.Processing]).toEqual([
    'N/A',
    'N/A',
    'The file is damaged or was cut off: it contains less than its header says.',
  ]);
});

test('without an upload there is nothing to report, and nothing is asked before the report is opened', async () => {
  let asked = 0;
  server.use(
    http.get('*/v1/content/c/upload', () => {
      asked += 1;
      return Response.json({});
    }),
  );
  await report(() => expect(asked).toBe(0));
  expect(await screen.findByText('Nothing has been uploaded yet.')).toBeVisible();
  expect(asked).toBe(1);
});

test('a report that failed to load can be retried', async () => {
  server.use(http.get('*/v1/content/c/upload', () => problem(403, 'No'), { once: true }));
  const { user, detailsOf } = await report();
  expect(await screen.findByText('The report could not be loaded.')).toBeVisible();
  reporting({ served });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await detailsOf('Current file')).Status).toBe('Available');
});

test('a new version is uploaded for this content, with its progress', async () => {
  let progress: (share: number) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  vi.mocked(hashFile).mockImplementation(
    (_file, _signal, onProgress) =>
      new Promise((_resolve, reject) => {
        progress = onProgress;
        fail = reject;
      }),
  );
  renderPart(<FileSection content={video} />);
  const input = screen.getByLabelText('New version of the file');
  fireEvent.change(input, { target: { files: [new File(['xyz'], 'film-2.mp4', { type: 'video/mp4' })] } });
  expect(uploads.snapshot().map(({ job }) => job)).toEqual([{ kind: 'replace', orgId: ORG, contentId: 'c' }]);
  act(() => progress(0.5));
  expect(screen.getByText('film-2.mp4: Preparing... · 50 %')).toBeVisible();
  await act(async () => fail(new Error('no')));
  expect(screen.getByText('film-2.mp4: Something went wrong. Try again later!')).toBeVisible();
});

test('a replacement that is cancelled is ended on the server, and the content stays', async () => {
  const calls: string[] = [];
  vi.mocked(hashFile).mockResolvedValue('md5');
  const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/x' };
  server.use(
    http.post('*/v1/content/c', () => Response.json({ uid: 'u9', status: 'pending', ingest })),
    http.put('*/v1/ingest/t', () => new Promise<Response>(() => undefined)),
    http.delete('*/v1/*', ({ request }) => {
      calls.push(new URL(request.url).pathname);
      return new Response(null, { status: 204 });
    }),
  );
  renderPart(<FileSection content={video} />);
  const input = screen.getByLabelText('New version of the file');
  fireEvent.change(input, { target: { files: [new File(['xyz'], 'film-2.mp4', { type: 'video/mp4' })] } });
  await expect.poll(() => uploads.snapshot().at(-1)?.uid).toBe('u9');
  const entry = uploads.snapshot().at(-1);
  act(() => uploads.cancel(entry?.id ?? ''));
  await expect.poll(() => calls).toEqual(['/v1/uploads/u9']);
});

test('a replacement that lost its file in a reload asks for the file again', () => {
  const job = { kind: 'replace', orgId: ORG, contentId: 'c' } as const;
  const kept = { id: 'r', name: 'film-2.mp4', size: 2048, lastModified: 8, job, uid: 'u9' };
  vi.spyOn(uploads, 'snapshot').mockReturnValue([
    { ...kept, state: { step: 'missing', message: '' }, followed: false },
  ]);
  renderPart(<FileSection content={video} />);
  expect(screen.getByText('film-2.mp4: 2 KB · Choose the file again to continue')).toBeVisible();
  vi.restoreAllMocks();
});
