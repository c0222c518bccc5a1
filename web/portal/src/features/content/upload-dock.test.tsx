/** The upload panel, with a queue that only records calls. */
import { fireEvent, screen, within } from '@testing-library/react';
import { ApiProblem } from '@vitrine/api';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { ORG } from '~/shared/testing/server.ts';
import type { EntryState } from '~/shared/upload/entry.ts';
import { type PortalUpload, uploads } from './api/upload-queue.ts';
import { UploadDock } from './parts/upload-dock.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const MIB = 1024 * 1024;

function entry(name: string, state: EntryState): PortalUpload {
  return {
    id: `id of ${name}`,
    name,
    size: 64 * MIB,
    lastModified: 7,
    job: { kind: 'replace', orgId: ORG, contentId: 'c' },
    uid: null,
    state,
    followed: false,
  };
}

const sending = (sent: number): EntryState => ({
  step: 'working',
  phase: { step: 'sending', transfer: { sent, total: 64 * MIB, speed: 2 * MIB, secondsLeft: 16 } },
});

/** The buttons of a file, by their names. */
const buttons = (name: string) =>
  within(row(name))
    .queryAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));

function row(name: string): HTMLElement {
  const found = screen.getByText(name).closest('li');
  if (found === null) throw new Error(`no row of ${name}`);
  return found;
}

test('each file shows its state and actions', () => {
  renderPart(
    <UploadDock
      entries={[
        entry('waits.mp4', { step: 'queued' }),
        entry('runs.mp4', sending(32 * MIB)),
        entry('ends.mp4', { step: 'finishing', until: null }),
        entry('fails.mp4', { step: 'failed', message: 'The file is too large.' }),
        entry('loose.mp4', { step: 'unfinished', error: new Error('no') }),
        entry('done.mp4', { step: 'done' }),
      ]}
    />,
  );
  const status = (name: string) => within(row(name)).getByTitle(name).nextElementSibling?.textContent;
  expect(screen.getByRole('status')).toHaveTextContent('Uploads: 1 of 6 done');
  expect(status('waits.mp4')).toBe('64 MB · Queued');
  expect(status('runs.mp4')).toBe('Uploading · 50 % · 32 MB of 64 MB · 2 MB/s · 0:16 left');
  expect(status('ends.mp4')).toBe('Almost done');
  expect(status('fails.mp4')).toBe('The file is too large.');
  expect(status('loose.mp4')).toBe('Problem adding content to playlist. Please try again.');
  expect(status('done.mp4')).toBe('Upload successful!');
  expect(screen.getByRole('progressbar', { name: 'Uploading: runs.mp4' })).toHaveAttribute('aria-valuenow', '50');
  expect(screen.getAllByRole('progressbar')).toHaveLength(1);
  expect(buttons('waits.mp4')).toEqual(['Cancel waits.mp4']);
  expect(buttons('runs.mp4')).toEqual(['Cancel runs.mp4']);
  expect(buttons('fails.mp4')).toEqual(['Retry fails.mp4', 'Dismiss fails.mp4']);
  expect(buttons('loose.mp4')).toEqual(['Retry loose.mp4', 'Dismiss loose.mp4']);
  expect(buttons('done.mp4')).toEqual(['Dismiss done.mp4']);
});

test('a pause counts its seconds down, and what has arrived cannot be cancelled', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const until = Date.now() + 4500;
  renderPart(
    <UploadDock
      entries={[
        entry('busy.mp4', { step: 'working', phase: { step: 'paused', until, share: 0.5 } }),
        entry('joins.mp4', { step: 'finishing', until }),
        entry('checks.mp4', { step: 'working', phase: { step: 'checking' } }),
      ]}
    />,
  );
  const status = (name: string) => within(row(name)).getByTitle(name).nextElementSibling?.textContent;
  expect(status('busy.mp4')).toBe('Waiting to continue · The server is busy · continues in 5 s');
  expect(status('joins.mp4')).toBe('The server is busy · continues in 5 s');
  expect(screen.getByRole('button', { name: 'Cancel busy.mp4' })).toBeEnabled();
  expect(screen.getByRole('button', { name: 'Cancel joins.mp4' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Cancel checks.mp4' })).toBeDisabled();
});

test("a full playlist says so with the server's message", () => {
  const error = new ApiProblem(400, 'A playlist can hold up to 500 items.', 'playlist_full');
  renderPart(<UploadDock entries={[entry('a.mp4', { step: 'unfinished', error })]} />);
  expect(screen.getByText('A playlist can hold up to 500 items.')).toBeVisible();
});

test('each button acts on its own file', async () => {
  const cancel = vi.spyOn(uploads, 'cancel').mockReturnValue();
  const retry = vi.spyOn(uploads, 'retry').mockReturnValue();
  const clear = vi.spyOn(uploads, 'clear').mockReturnValue();
  const failed = entry('b.mp4', { step: 'failed', message: 'No' });
  const { user, show } = renderPart(<UploadDock entries={[entry('a.mp4', sending(0)), failed]} />);
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Cancel a.mp4' }));
  await user.click(screen.getByRole('button', { name: 'Retry b.mp4' }));
  await user.click(screen.getByRole('button', { name: 'Dismiss b.mp4' }));
  expect(cancel.mock.calls).toEqual([['id of a.mp4'], ['id of b.mp4']]);
  expect(retry.mock.calls).toEqual([['id of b.mp4']]);
  show(<UploadDock entries={[entry('a.mp4', { step: 'done' }), failed]} />);
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  expect(clear).toHaveBeenCalledOnce();
});

test('a file lost in a reload is asked for again, and a wrong one is refused with a message', () => {
  const give = vi.spyOn(uploads, 'give').mockReturnValue();
  const { show } = renderPart(<UploadDock entries={[entry('a.mp4', { step: 'missing', message: '' })]} />);
  expect(within(row('a.mp4')).getByText('64 MB · Choose the file again to continue')).toBeVisible();
  const chosen = new File(['x'], 'a.mp4');
  fireEvent.change(screen.getByLabelText('Choose a.mp4 again'), { target: { files: [chosen] } });
  expect(give).toHaveBeenCalledExactlyOnceWith('id of a.mp4', chosen);
  const message = 'This is a different file. Choose the one you started uploading.';
  show(<UploadDock entries={[entry('a.mp4', { step: 'missing', message })]} />);
  expect(screen.getByText(message)).toBeVisible();
});

test('the collapsed panel still shows how many are done', async () => {
  const { user } = renderPart(<UploadDock entries={[entry('a.mp4', sending(0))]} />);
  const fold = screen.getByRole('button', { name: 'Collapse uploads' });
  expect(fold).toHaveAttribute('aria-expanded', 'true');
  await user.click(fold);
  expect(screen.getByText('a.mp4')).not.toBeVisible();
  expect(screen.getByText('Uploads: 0 of 1 done')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Expand uploads' }));
  expect(screen.getByText('a.mp4')).toBeVisible();
});
