/** The zone for files: choosing and dropping. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '~/shared/testing/render-part.tsx';
import { FilesZone } from './drop-zone.tsx';

function setUp() {
  const video = new File(['1'], 'a.mp4', { type: 'video/mp4', lastModified: 7 });
  const notes = new File(['22'], 'notes', { lastModified: 8 });
  const onFiles = vi.fn<(files: File[]) => void>();
  const { user } = renderPart(<FilesZone label="Drop files here" hint="Any kind" onFiles={onFiles} />);
  const input = screen.getByLabelText(/^Drop files here/);
  const zone = input.parentElement as HTMLElement;
  return { user, onFiles, input, zone, video, notes };
}

/** What a browser passes with a drag of files. */
function dragOf(...files: File[]) {
  const items = files.map((file) => ({ kind: 'file', type: file.type, getAsFile: () => file }));
  return { dataTransfer: { types: ['Files'], files, items } };
}

test('several files are chosen with the input, which is reached by keyboard', async () => {
  const { user, onFiles, input, video, notes } = setUp();
  await user.tab();
  expect(input).toHaveFocus();
  expect(input).toHaveAccessibleName('Drop files here Any kind');
  await user.upload(input, [video, notes]);
  expect(onFiles.mock.calls).toEqual([[[video, notes]]]);
});

test('several files are dropped, and the zone is highlighted while they are over it', async () => {
  const { onFiles, zone, video, notes } = setUp();
  fireEvent.dragEnter(zone, dragOf(video, notes));
  await waitFor(() => expect(zone).toHaveAttribute('data-over'));
  fireEvent.dragLeave(zone, dragOf(video, notes));
  await waitFor(() => expect(zone).not.toHaveAttribute('data-over'));
  fireEvent.drop(zone, dragOf(video, notes));
  await waitFor(() => expect(onFiles.mock.calls).toEqual([[[video, notes]]]));
  expect(zone).not.toHaveAttribute('data-over');
});

test('dropped text is ignored', async () => {
  const { onFiles, zone, video } = setUp();
  fireEvent.drop(zone, { dataTransfer: { types: ['text/plain'], files: [], items: [] } });
  fireEvent.drop(zone, dragOf(video));
  await waitFor(() => expect(onFiles.mock.calls).toEqual([[[video]]]));
});

test('a file dropped next to the zone is not opened by the browser', () => {
  const { video } = setUp();
  expect(fireEvent.drop(document.body, dragOf(video))).toBe(false);
});

test('a dropped folder adds the files in it', async () => {
  const { onFiles, zone, video, notes } = setUp();
  const fileEntry = (file: File) => ({
    fullPath: `/talks/${file.name}`,
    file: (take: (file: File) => void) => take(file),
  });
  const batches = [[fileEntry(video), fileEntry(notes)], []];
  const folder = {
    isDirectory: true,
    createReader: () => ({ readEntries: (take: (batch: unknown) => void) => take(batches.shift()) }),
  };
  const item = { kind: 'file', webkitGetAsEntry: () => folder };
  fireEvent.drop(zone, { dataTransfer: { types: ['Files'], files: [], items: [item] } });
  await waitFor(() => expect(onFiles.mock.calls).toEqual([[[video, notes]]]));
});
