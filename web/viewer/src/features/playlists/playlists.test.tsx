import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { recordEvents, withItems } from '~/shared/testing/items.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, joined, playlist, problem, progress, server } from '~/shared/testing/server.ts';

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

describe('an organisation whose plan is suspended', () => {
  it.each(['/org/north', '/org/north/search?q=a', '/org/north/playlists/one'])('says so at %s', async (path) => {
    signIn();
    withItems();
    server.use(
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined({ suspended: true })] })),
      http.get('*/v1/playlists', () =>
        HttpResponse.json({ data: [playlist('one', { stats: { watchTimeMs: 0, contentCount: 0 } })] }),
      ),
    );
    openApp(path);
    expect(await screen.findByRole('heading', { name: 'Northwind Media is paused' })).toBeVisible();
    expect(screen.queryByText('0 items')).toBeNull();
    expect(screen.queryByRole('searchbox'), 'which would find nothing').toBeNull();
    expect(screen.getByRole('link', { name: 'Me' })).toBeVisible();
  });

  it('still shows staff what they manage', async () => {
    signIn();
    const own = joined({ suspended: true, role: 'manager' });
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [own] })));
    openApp('/org/north');
    expect(await screen.findByRole('link', { name: /Playlist one/ })).toBeVisible();
  });
});

describe('home of a person who returns', () => {
  const shown = (uid: string, title: string) => ({
    content: content(uid, { title, kind: 'video', durationMs: 600_000 }),
    playlistId: 'one',
    playlistTitle: 'Playlist one',
  });
  const item = { playlistId: 'one', length: 600_000, time: '2026-11-20T06:41:00.000Z' };

  it('offers what was begun, with a bar, and what is new, with a tick on what was seen', async () => {
    signIn();
    server.use(
      http.get('*/v1/organizations/north/users/me/progress', () =>
        HttpResponse.json(
          progress({
            lastVisit: '2026-11-19T06:41:00.000Z',
            items: [
              { ...item, contentId: 'a', position: 150_000, seen: false },
              { ...item, contentId: 'b', position: 0, seen: true },
            ],
            continueWatching: [shown('a', 'Tour')],
            newItems: [shown('b', 'Fresh')],
          }),
        ),
      ),
    );
    openApp('/org/north');
    const begun = within(await screen.findByRole('region', { name: 'Continue watching' }));
    const link = begun.getByRole('link', { name: /Tour/ });
    expect(link).toHaveAttribute('href', '/app/org/north/playlists/one?item=a');
    expect(link).toHaveTextContent('25 % watched');
    const fresh = within(screen.getByRole('region', { name: 'New since your last visit' }));
    expect(fresh.getByRole('link', { name: /Fresh/ })).toHaveTextContent('Seen');
  });

  it('shows how much of a playlist was seen', async () => {
    signIn();
    const seen = (contentId: string) => ({ ...item, contentId, position: 0, seen: true });
    server.use(
      http.get('*/v1/organizations/north/users/me/progress', () =>
        HttpResponse.json(progress({ items: [seen('a'), seen('b'), { ...seen('c'), seen: false }] })),
      ),
      http.get('*/v1/playlists', () =>
        HttpResponse.json({
          data: [
            playlist('begun', { items: ['a', 'b', 'c', 'd'] }),
            playlist('done', { items: ['a', 'b'] }),
            playlist('new', { items: ['x'] }),
          ],
        }),
      ),
    );
    openApp('/org/north');
    const card = (name: string) => screen.findByRole('link', { name: new RegExp(`Playlist ${name}`) });
    expect(await card('begun')).toHaveTextContent('50 % watched');
    expect(await card('done')).toHaveTextContent('Seen');
    expect(await card('new')).not.toHaveTextContent(/watched|Seen/);
  });

  it('draws the waveform of audio without an image, once it comes into view', async () => {
    signIn();
    const before = IntersectionObserver;
    let appear = () => {};
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
          appear = () => tell([{ isIntersecting: true }]);
        }
        observe() {}
        disconnect() {}
      },
    );
    let loads = 0;
    const song = content('song', { kind: 'audio', title: 'Song', waveformUrl: 'http://127.0.0.1:8080/media/g/peaks' });
    server.use(
      http.get('*/media/g/peaks', () => {
        loads += 1;
        return HttpResponse.json({ peaks: [10, 80, 40] });
      }),
      http.get('*/v1/playlists/one', () => HttpResponse.json(playlist('one'))),
      http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [content('a'), song] })),
    );
    openApp('/org/north/playlists/one');
    const card = await screen.findByRole('link', { name: /^Song/ });
    expect(loads).toBe(0);
    await waitFor(() => {
      appear();
      expect(card.querySelectorAll('rect')).toHaveLength(40);
    });
    expect(loads).toBe(1);
    vi.stubGlobal('IntersectionObserver', before);
  });

  it('works without the progress', async () => {
    signIn();
    server.use(http.get('*/v1/organizations/north/users/me/progress', () => problem(403, 'Later')));
    openApp('/org/north');
    expect(await screen.findByRole('link', { name: /Playlist one/ })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Continue watching' })).toBeNull();
  });

  it('finds playlists and items, says when there are none, and clears the search', async () => {
    signIn();
    const asked: string[] = [];
    server.use(
      http.get('*/v1/viewer/search', ({ request }) => {
        const text = new URL(request.url).searchParams.get('search') ?? '';
        asked.push(text);
        const found = text === 'tour';
        return HttpResponse.json({
          playlists: found ? [playlist('one')] : [],
          items: found ? [shown('a', 'Tour of the house')] : [],
        });
      }),
    );
    const { address } = openApp('/org/north/search');
    const field = await screen.findByRole('searchbox', { name: 'Search playlists and items' });
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.type(field, 'tour');
    const items = within(await screen.findByRole('region', { name: 'Items' }));
    expect(items.getByRole('link', { name: /Tour of the house/ })).toBeVisible();
    const playlists = within(screen.getByRole('region', { name: 'Playlists' }));
    expect(playlists.getByRole('link', { name: /^Playlist one/ })).toBeVisible();
    expect(address()).toBe('/app/org/north/search?q=tour');
    expect(asked.length).toBeLessThan(4);
    await userEvent.type(field, 'x');
    expect(await screen.findByRole('heading', { name: 'Nothing found for “tourx”' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(field).toHaveValue('');
    expect(field).toHaveFocus();
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

  it('has the title of a document above the reader, and that of anything else below', async () => {
    signIn();
    withItems();
    const items = [content('a', { kind: 'pdf' }), content('b', { kind: 'image' })];
    server.use(http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: items })));
    openApp('/org/north/playlists/one');
    const first = () => screen.getByRole('region', { name: 'Now showing' }).firstElementChild;
    const document = await screen.findByRole('heading', { name: 'Item a' });
    expect(first()).toContainElement(document);
    await userEvent.click(screen.getByRole('link', { name: 'Next' }));
    const image = await screen.findByRole('heading', { name: 'Item b' });
    expect(first()).not.toContainElement(image);
  });

  it('reports downloads and contact taps', async () => {
    signIn();
    withItems();
    const sent = recordEvents();
    openApp('/org/north/playlists/one');
    for (const name of ['Download', /^Contact Northwind Media/]) {
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

  it('offers to call and to write with one button', async () => {
    signIn();
    withItems();
    const contact = { email: 'desk@example.com', phoneNumber: '+47 22 33' };
    server.use(http.get('*/v1/playlists/one', () => HttpResponse.json(playlist('one', { contact }))));
    openApp('/org/north/playlists/one');
    await userEvent.click(await screen.findByRole('button', { name: 'Contact Northwind Media' }));
    expect(screen.getByRole('link', { name: /Call/ })).toHaveAttribute('href', 'tel:+472233');
    expect(screen.getByRole('link', { name: /Email/ })).toHaveAttribute('href', 'mailto:desk@example.com');
  });

  it('shares the link to the item', async () => {
    signIn();
    withItems();
    const user = userEvent.setup();
    openApp('/org/north/playlists/one?item=b');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    await user.click(await screen.findByRole('button', { name: 'Copy link' }));
    expect(await screen.findByText('Link copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('http://127.0.0.1:8080/app/org/north/playlists/one?item=b');
  });

  it('reports what staff watch, with the version of the app, and none of their downloads', async () => {
    signIn();
    withItems();
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [joined({ role: 'manager' })] })));
    const sent = recordEvents();
    openApp('/org/north/playlists/one');
    const link = await screen.findByRole('link', { name: 'Download' });
    fireEvent.click(link);
    await waitFor(() => expect(sent.map(({ appVersion }) => appVersion)).toContainEqual(expect.stringMatching(/^\d/)));
    expect(new Set(sent.flatMap(({ events }) => events.map(({ kind }) => kind)))).toEqual(new Set(['beat']));
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
