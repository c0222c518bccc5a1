import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, joined, playlist, problem, server } from '~/shared/testing/server.ts';

interface Sent {
  orgId: string;
  events: { kind: string; contentId?: string; playlistId?: string }[];
}

/** Records everything sent to POST /events. */
function recordEvents(): Sent[] {
  const sent: Sent[] = [];
  server.use(
    http.post('*/v1/events', async ({ request }) => {
      sent.push((await request.json()) as Sent);
      return HttpResponse.json({ accepted: 1, rejected: [] }, { status: 202 });
    }),
  );
  return sent;
}

function withItems(): void {
  server.use(
    http.get('*/v1/playlists/one', () =>
      HttpResponse.json(playlist('one', { contact: { email: 'desk@example.com', phoneNumber: '' } })),
    ),
    http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [content('a'), content('b')] })),
  );
}

describe('home', () => {
  it('shows pinned playlists first and each playlist once', async () => {
    signIn();
    server.use(
      http.get('*/v1/viewer/organizations', () =>
        HttpResponse.json({ data: [joined({ pinnedPlaylists: ['two', 'gone', 'unlisted'] })] }),
      ),
      http.get('*/v1/playlists/two', () => HttpResponse.json(playlist('two'))),
      http.get('*/v1/playlists/unlisted', () => HttpResponse.json(playlist('unlisted', { privacy: 'unlisted' }))),
      http.get('*/v1/playlists/gone', () => problem(404, 'Playlist not found')),
      http.get('*/v1/playlists', () => HttpResponse.json({ data: [playlist('one'), playlist('two')] })),
    );
    openApp('/');
    const cards = await screen.findAllByRole('link', { name: /Playlist/ });
    expect(cards.map((card) => card.getAttribute('href'))).toEqual([
      '/app/org/north/playlists/two',
      '/app/org/north/playlists/one',
    ]);
  });

  it('offers an action when empty and when loading fails', async () => {
    signIn();
    server.use(http.get('*/v1/playlists', () => problem(403, 'Not for you')));
    openApp('/org/north');
    expect(await screen.findByText('Not for you')).toBeVisible();
    server.use(http.get('*/v1/playlists', () => HttpResponse.json({ data: [] })));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Nothing to watch yet')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeVisible();
  });

  it('opens the default playlist of an organisation that has one', async () => {
    signIn();
    withItems();
    server.use(
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined({ defaultPlaylist: 'one' })] })),
    );
    const { address } = openApp('/');
    expect(await screen.findByRole('heading', { name: 'Item a' })).toBeVisible();
    expect(address()).toBe('/app/org/north/playlists/one');
  });
});

describe('a playlist', () => {
  it('navigates from item to item', async () => {
    signIn();
    withItems();
    const { address } = openApp('/org/north/playlists/one');
    await userEvent.click(await screen.findByRole('link', { name: 'Next' }));
    expect(await screen.findByRole('heading', { name: 'Item b' })).toBeVisible();
    expect(address()).toBe('/app/org/north/playlists/one?item=b');
    expect(screen.queryByRole('link', { name: 'Next' })).toBeNull();
  });

  it('reports downloads and contact taps', async () => {
    signIn();
    withItems();
    const sent = recordEvents();
    openApp('/org/north/playlists/one');
    for (const name of ['Download', 'desk@example.com']) {
      const link = await screen.findByRole('link', { name });
      link.addEventListener('click', (event) => event.preventDefault());
      await userEvent.click(link);
    }
    await waitFor(() => {
      const kinds = sent.flatMap(({ events }) => events.map(({ kind }) => kind));
      expect(kinds).toEqual(expect.arrayContaining(['beat', 'download', 'contact']));
    });
    const events = sent.flatMap((batch) => batch.events);
    expect(events.find(({ kind }) => kind === 'download')).toMatchObject({ contentId: 'a', playlistId: 'one' });
    expect(events.find(({ kind }) => kind === 'contact')).toMatchObject({ playlistId: 'one' });
    expect(sent.every(({ orgId }) => orgId === 'north')).toBe(true);
  });

  it('counts nothing of staff', async () => {
    signIn();
    withItems();
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined({ role: 'manager' })] })));
    const sent = recordEvents();
    openApp('/org/north/playlists/one');
    const link = await screen.findByRole('link', { name: 'Download' });
    link.addEventListener('click', (event) => event.preventDefault());
    await userEvent.click(link);
    expect(sent).toEqual([]);
  });

  it('says that a playlist is not available and links home', async () => {
    signIn();
    server.use(
      http.get('*/v1/playlists/one', () => problem(404, 'Playlist not found')),
      http.get('*/v1/playlists/one/content', () => problem(404, 'Playlist not found')),
    );
    openApp('/org/north/playlists/one');
    expect(await screen.findByRole('heading', { name: 'This playlist is not available' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/app/org/north');
  });
});
