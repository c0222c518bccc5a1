/** Publish and expiry dates of a playlist. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, playlist, server } from '~/shared/testing/server.ts';

test('the edit dialog sends the dates, and list and header tell what is closed', async () => {
  const sent: Record<string, unknown>[] = [];
  const dated = [
    playlist('p', 'Later', { publishAt: '2099-01-01T00:00:00.000Z' }),
    playlist('q', 'Over', { expireAt: '2001-01-01T00:00:00.000Z' }),
    playlist('r', 'Always'),
  ];
  server.use(
    http.get('*/v1/playlists', () => list(dated)),
    http.get('*/v1/playlists/p', () => Response.json(dated[0])),
    http.get('*/v1/playlists/p/content', () => list([])),
    http.patch('*/v1/playlists/p', async ({ request }) => {
      sent.push(((await request.json()) as { playlist: Record<string, unknown> }).playlist);
      return Response.json(dated[0]);
    }),
  );
  const { user } = renderAt(`/org/${ORG}/playlists`);
  expect(await screen.findByText('Scheduled')).toBeVisible();
  expect(screen.getAllByText('Expired')).toHaveLength(1);
  await user.click(screen.getByRole('link', { name: 'Later' }));
  const edit = await screen.findByRole('button', { name: 'Edit' });
  expect(screen.getByText('Scheduled')).toBeVisible();
  await user.click(edit);
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Playlist' }));
  expect(dialog.getByLabelText('Publish at')).toHaveValue('2099-01-01T00:00');
  fireEvent.change(dialog.getByLabelText('Publish at'), { target: { value: '' } });
  fireEvent.change(dialog.getByLabelText('Expire at'), { target: { value: '2030-05-01T12:00' } });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent[0]).toMatchObject({ publishAt: null, expireAt: '2030-05-01T12:00:00.000Z' }));
});
