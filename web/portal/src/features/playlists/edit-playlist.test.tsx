/** Editing a playlist while an upload ends, another person saves, or a thumbnail is uploading. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, playlist, problem, server } from '~/shared/testing/server.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async () => 'md5' }));
vi.mock('~/shared/ui/image-cropper.tsx', () => import('~/shared/testing/image-cropper.tsx'));
vi.mock('~/shared/upload/put.ts', () => ({ putFile: async () => ({ uid: 'u', status: 'available' }) }));

const LATER = '2026-11-02T00:00:00.000Z';

/** A playlist that refuses outdated changes; records every change. */
function holding() {
  const state = { playlist: playlist('p', 'Talks'), sent: [] as Record<string, unknown>[] };
  server.use(
    http.get('*/v1/playlists/p', () => Response.json(state.playlist)),
    http.get('*/v1/playlists/p/content', () => list([])),
    http.get('*/v1/playlists', () => list([state.playlist])),
    http.patch('*/v1/playlists/p', async ({ request }) => {
      const { playlist: change } = (await request.json()) as { playlist: Record<string, unknown> };
      state.sent.push(change);
      const older = change.timeModified !== undefined && change.timeModified !== state.playlist.timeModified;
      return older ? problem(409, 'Changed') : Response.json(state.playlist);
    }),
  );
  return state;
}

async function edit() {
  const { user } = renderAt(`/org/${ORG}/playlists/p`);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit Playlist' });
  fireEvent.change(within(dialog).getByLabelText('Title'), { target: { value: 'New title' } });
  return { user, dialog, button: (name: string) => within(dialog).getByRole('button', { name }) };
}

test('an upload that ends meanwhile is not a conflict', async () => {
  const state = holding();
  const { user, button } = await edit();
  state.playlist = { ...state.playlist, items: ['a'], timeModified: LATER };
  await user.click(button('Save'));
  expect(await screen.findByText('Playlist updated')).toBeVisible();
  expect(screen.queryByText('Someone else changed this playlist.')).toBeNull();
  expect(state.sent.map(({ title, timeModified }) => [title, timeModified])).toEqual([
    ['New title', '2026-11-01T10:00:00.000Z'],
    ['New title', LATER],
  ]);
});

test("another person's changes are overwritten only after a warning", async () => {
  const state = holding();
  const { user, button } = await edit();
  state.playlist = { ...state.playlist, description: 'Theirs', timeModified: LATER };
  await user.click(button('Save'));
  expect(await screen.findByText('Someone else changed this playlist.')).toBeVisible();
  expect(screen.getByText('Problem editing playlist. Please try again.')).toBeVisible();
  expect(state.sent).toHaveLength(1);
  await user.click(button('Save anyway'));
  expect(await screen.findByText('Playlist updated')).toBeVisible();
  expect(state.sent[1]).not.toHaveProperty('timeModified');
});

test('Save waits for a thumbnail that is still uploading', async () => {
  const state = holding();
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  server.use(
    http.post('*/v1/uploads', async () => {
      await arrived;
      const ingest = { url: 'http://127.0.0.1:8080/v1/ingest/t', path: '/images/new' };
      return Response.json({ uid: 'u', status: 'pending', ingest }, { status: 201 });
    }),
  );
  const { user, dialog, button } = await edit();
  const picture = new File(['x'], 'a.png', { type: 'image/png' });
  fireEvent.change(within(dialog).getByLabelText('Thumbnail'), { target: { files: [picture] } });
  await user.click(await screen.findByRole('button', { name: 'Use image' }));
  await waitFor(() => expect(button('Waiting for the image')).toBeDisabled());
  fireEvent.submit(button('Waiting for the image').closest('form') as HTMLFormElement);
  expect(state.sent).toEqual([]);
  arrive();
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Save' })).toBeEnabled());
  await user.click(button('Save'));
  await waitFor(() => expect(state.sent[0]).toMatchObject({ previewUrl: `${window.location.origin}/images/new` }));
});
