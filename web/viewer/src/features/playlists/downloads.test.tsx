import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { recordEvents, withItems } from '~/shared/testing/items.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, server } from '~/shared/testing/server.ts';

it('saves that a file was downloaded, so that it is marked as seen', async () => {
  signIn();
  withItems();
  const saved: unknown[] = [];
  server.use(
    http.put('*/v1/organizations/north/users/me/progress', async ({ request }) => {
      const { items } = (await request.json()) as { items: unknown[] };
      saved.push(...items);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  openApp('/org/north/playlists/one');
  const link = await screen.findByRole('link', { name: 'Download' });
  link.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(link);
  await waitFor(() => expect(saved).toMatchObject([{ contentId: 'a', playlistId: 'one', position: 1, length: 1 }]));
});

it('offers a video as a download only where that is allowed, and reports the download', async () => {
  signIn();
  withItems();
  const video = content('a', { kind: 'video', downloadable: true });
  server.use(http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [video] })));
  const sent = recordEvents();
  openApp('/org/north/playlists/one');
  const link = await screen.findByRole('link', { name: 'Download' });
  expect(link).toHaveAttribute('href', `${video.url}?download=1`);
  link.addEventListener('click', (event) => event.preventDefault());
  await userEvent.click(link);
  await waitFor(() =>
    expect(sent.flatMap(({ events }) => events)).toMatchObject([
      { kind: 'download', contentId: 'a', playlistId: 'one' },
    ]),
  );
  cleanup();
  server.use(
    http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [{ ...video, downloadable: false }] })),
  );
  openApp('/org/north/playlists/one');
  await screen.findByRole('button', { name: 'Share' });
  expect(screen.queryByRole('link', { name: 'Download' })).toBeNull();
});

it('has no link for a file that is not offered as a download', async () => {
  signIn();
  withItems();
  const file = content('a', { downloadable: false });
  server.use(http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [file] })));
  openApp('/org/north/playlists/one');
  expect(await screen.findByText('This file is not offered as a download.')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Download' })).toBeNull();
});
