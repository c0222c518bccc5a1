/** Recently deleted playlists and content. */
import { screen, waitFor, within } from '@testing-library/react';
import type { DeletedContentOut, DeletedPlaylistOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, problem, server } from '~/shared/testing/server.ts';

const times = { timeDeleted: '2026-11-01T10:00:00.000Z', timeRemoved: '2026-12-01T10:00:00.000Z' };
const talks: DeletedPlaylistOut = { uid: 'p', orgId: ORG, title: 'Talks', previewUrl: '', contentCount: 3, ...times };
const clip: DeletedContentOut = { uid: 'c', orgId: ORG, title: 'Talk', previewUrl: '', kind: 'video', ...times };

/** What is deleted; records calls. */
function holding(playlists: DeletedPlaylistOut[], content: DeletedContentOut[]) {
  const state = { playlists, content, calls: [] as string[] };
  const call = ({ request }: { request: Request }) => {
    const { pathname, search } = new URL(request.url);
    state.calls.push(`${request.method} ${pathname}${search}`);
    state.playlists = state.playlists.filter(({ uid }) => !pathname.includes(`/${uid}`));
    state.content = state.content.filter(({ uid }) => !pathname.includes(`/content/${uid}`));
    return Response.json({});
  };
  server.use(
    http.get('*/v1/playlists/deleted', () => list(state.playlists)),
    http.get('*/v1/content/deleted', () => list(state.content)),
    http.post('*/v1/playlists/:id/restore', call),
    http.post('*/v1/content/:id/restore', call),
    http.delete('*/v1/playlists/:id', call),
    http.delete('*/v1/content/:id', call),
  );
  return state;
}

const SCREEN = `/org/${ORG}/playlists?tab=deleted`;

test('a playlist and content are restored', async () => {
  const { calls } = holding([talks], [clip]);
  const { user } = renderAt(SCREEN);
  const rows = within(await screen.findByRole('list', { name: 'Playlists' }));
  expect(rows.getByText('Deleted 1 Nov 2026, kept until 1 Dec 2026')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Restore Talks' }));
  expect(await screen.findByText('Restored')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Playlists' })).toBeNull());
  expect(screen.getByText(/^You can restore playlists/)).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Restore Talk' }));
  expect(await screen.findByText('Nothing was deleted in the last 30 days.')).toBeVisible();
  expect(calls).toEqual(['POST /v1/playlists/p/restore', 'POST /v1/content/c/restore']);
});

test('content is deleted permanently after a question', async () => {
  const { calls } = holding([], [clip]);
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Delete Talk permanently' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  expect(dialog.getByText(/“Talk” and its files permanently/)).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Delete Talk permanently' }));
  await user.click(await screen.findByRole('button', { name: 'Delete permanently' }));
  expect(await screen.findByText('Deleted permanently')).toBeVisible();
  expect(calls).toEqual(['DELETE /v1/content/c?permanent=true']);
});

test('a restoration that came too late says so, and the row stays until it is read again', async () => {
  holding([talks], []);
  server.use(http.post('*/v1/playlists/p/restore', () => problem(404, 'Playlist not found')));
  const { user } = renderAt(SCREEN);
  await user.click(await screen.findByRole('button', { name: 'Restore Talks' }));
  expect(await screen.findByText('Playlist not found')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Restore Talks' })).toBeEnabled();
});

test('people who may not edit playlists have no such tab', async () => {
  server.use(
    belongsTo(membership('teamUser')),
    http.get('*/v1/playlists', () => list([])),
  );
  renderAt(`/org/${ORG}/playlists`);
  expect(await screen.findByRole('link', { name: 'All content' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Recently deleted' })).toBeNull();
});
