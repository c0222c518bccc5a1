/** Without a connection, with a newer version, and on the icon of the installed app. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { worker } from '~/shared/testing/pwa-register.ts';
import { content, playlist, progress, server, tokenOf } from '~/shared/testing/server.ts';

const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('vitrine.viewer.seen.'));
const setOnline = (online: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);

/** Sees Home with a connection, then opens the app again without. */
async function seeHomeThenGoOffline() {
  signIn();
  openApp('/org/north');
  await screen.findByRole('link', { name: /Playlist one/ });
  cleanup();
  server.use(http.all('*/v1/*', () => HttpResponse.error()));
  setOnline(false);
}

afterEach(() => vi.restoreAllMocks());

describe('without a connection', () => {
  it('shows what was seen last, and says so', async () => {
    await seeHomeThenGoOffline();
    const { address } = openApp('/');
    expect(await screen.findByRole('link', { name: /Playlist one/ })).toBeVisible();
    expect(address()).toBe('/app/org/north');
    expect(screen.getByText(/^You are offline\. This is what was loaded last\./)).toBeVisible();
  });

  it('knows whose account it is, and says in place what else of Me could not be loaded', async () => {
    signIn();
    openApp('/org/north/me');
    await screen.findByText('ann@example.com');
    cleanup();
    server.use(http.all('*/v1/*', () => HttpResponse.error()));
    setOnline(false);
    openApp('/org/north/me');
    expect(await screen.findByText('ann@example.com')).toBeVisible();
    expect(await screen.findAllByText(/^The server could not be reached/)).toHaveLength(2);
    expect(screen.queryByText('This could not be loaded')).toBeNull();
  });

  it('says what to do about a list that was never seen, and loads it when the connection is back', async () => {
    await seeHomeThenGoOffline();
    openApp('/org/north/playlists/two');
    expect(await screen.findByText(/^The server could not be reached\. Check your connection/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
    server.resetHandlers();
    server.use(
      http.get('*/v1/playlists/two', () => HttpResponse.json(playlist('two'))),
      http.get('*/v1/playlists/two/content', () => HttpResponse.json({ data: [content('a')] })),
    );
    setOnline(true);
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByRole('heading', { name: 'Item a' })).toBeVisible();
  });

  it('shows a refusal as it is, not what was seen before', async () => {
    await seeHomeThenGoOffline();
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })));
    openApp('/org/north');
    expect(await screen.findByText('You have not joined this organization')).toBeVisible();
  });

  it('keeps nothing after sign-out, and nothing of one person for the next', async () => {
    await seeHomeThenGoOffline();
    expect(kept()).not.toEqual([]);
    openApp('/org/north');
    await screen.findByRole('link', { name: /Playlist one/ });
    session.save(tokenOf('bea', 0));
    await waitFor(() => expect(kept()).toEqual([]));
    expect(await screen.findByText(/^The server could not be reached/)).toBeVisible();
    signIn();
    server.resetHandlers();
    await waitFor(() => expect(screen.getByRole('link', { name: /Playlist one/ })).toBeVisible());
    expect(kept()).not.toEqual([]);
    session.clear();
    await waitFor(() => expect(kept()).toEqual([]));
  });
});

describe('a newer version', () => {
  beforeEach(() => Object.assign(worker, { waiting: true, updates: 0, checks: 0 }));
  afterEach(() => {
    worker.waiting = false;
  });

  it('is offered, and activated only on request', async () => {
    openApp('/sign-in');
    expect(await screen.findByText('A new version is ready.')).toBeVisible();
    expect(worker.updates).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: 'Update' }));
    expect(worker.updates).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Later' }));
    expect(screen.queryByText('A new version is ready.')).toBeNull();
  });

  it('is offered in the colors of the organization that was shown', async () => {
    signIn();
    openApp('/org/north/me');
    await waitFor(() => expect(document.title).toBe('Me · Northwind Media'));
    cleanup();
    openApp('/sign-in');
    const prompt = await screen.findByText('A new version is ready.');
    const scope = prompt.closest<HTMLElement>('.brand-scope');
    expect(scope?.style.getPropertyValue('--brand-button')).toBe('#fb761c');
  });

  it('is looked for when the app comes to the front', async () => {
    openApp('/sign-in');
    await screen.findByText('A new version is ready.');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(worker.checks).toBeGreaterThan(0);
  });
});

describe('the icon of the app', () => {
  let people = 0;
  const badge = { setAppBadge: vi.fn(async () => undefined), clearAppBadge: vi.fn(async () => undefined) };
  beforeEach(() => {
    for (const call of Object.values(badge)) call.mockClear();
    Object.assign(navigator, badge);
    const fresh = { content: content('b'), playlistId: 'one', playlistTitle: 'Playlist one' };
    server.use(
      http.get('*/v1/organizations/north/users/me/progress', () =>
        HttpResponse.json(progress({ newItems: [fresh, fresh] })),
      ),
    );
    // That Home was seen is known as long as the page, so everyone sees it for the first time.
    people += 1;
    signIn(`person ${people}`);
  });
  afterEach(() => {
    for (const name of Object.keys(badge)) Reflect.deleteProperty(navigator, name);
  });

  it('has the number of new items until Home is seen', async () => {
    openApp('/org/north/search');
    await waitFor(() => expect(badge.setAppBadge).toHaveBeenCalledWith(2));
    await userEvent.click(screen.getByRole('link', { name: 'Home' }));
    await waitFor(() => expect(badge.clearAppBadge).toHaveBeenCalledOnce());
  });

  it('has no number again on the pages after Home', async () => {
    server.use(
      http.get('*/v1/playlists/one', () => HttpResponse.json(playlist('one'))),
      http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [content('a')] })),
    );
    openApp('/org/north');
    await userEvent.click(await screen.findByRole('link', { name: /Playlist one.*1 item/ }));
    await screen.findByRole('heading', { name: 'Item a' });
    await userEvent.click(screen.getByRole('link', { name: 'Search' }));
    await screen.findByRole('searchbox');
    expect(badge.clearAppBadge).toHaveBeenCalled();
    expect(badge.setAppBadge).not.toHaveBeenCalled();
  });

  it('has no number of the person who has signed out', async () => {
    openApp('/org/north/search');
    await waitFor(() => expect(badge.setAppBadge).toHaveBeenCalled());
    session.clear();
    expect(badge.clearAppBadge).toHaveBeenCalled();
  });
});
