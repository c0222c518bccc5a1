/** The brand on pages that name no organisation, and in the title of the tab. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { server } from '~/shared/testing/server.ts';

const NAME = 'Northwind Media';

beforeEach(() => sessionStorage.clear());

/** Waits until the tab has a title. */
async function titled(title: string): Promise<void> {
  await waitFor(() => expect(document.title).toBe(title));
}

/** Opens a page of the organisation as a member, and closes it. */
async function visit(): Promise<void> {
  signIn();
  openApp('/org/north/me');
  await titled(`Me · ${NAME}`);
  cleanup();
}

/** A new visit after the session has ended. */
function afterwards(path: string): void {
  session.clear();
  sessionStorage.clear();
  openApp(path);
}

describe('the brand of the organisation shown last', () => {
  it('is unknown in a browser that has shown none', async () => {
    openApp('/sign-in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText(NAME)).toBeNull();
    await titled('Sign in · Vitrine');
  });

  it.each(['/org/north/playlists/one', '/sign-in', '/authenticate?code=code', '/join/dead', '/no-such-page'])(
    'is on %s when the session has ended',
    async (path) => {
      await visit();
      afterwards(path);
      expect(await screen.findByText(NAME)).toBeVisible();
      await waitFor(() => expect(document.title).toContain(NAME));
    },
  );

  it('is not on the way to another organisation', async () => {
    await visit();
    afterwards('/org/south/playlists/one');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText(NAME)).toBeNull();
  });

  it('stays in the tab in which the person signs out, and is gone from the browser', async () => {
    signIn();
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.getByText(NAME)).toBeVisible();
    cleanup();
    afterwards('/sign-in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText(NAME)).toBeNull();
  });

  it('is forgotten when someone else signs in', async () => {
    await visit();
    session.clear();
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })));
    openApp('/sign-in');
    await screen.findByText(NAME);
    signIn('bea');
    cleanup();
    afterwards('/sign-in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText(NAME)).toBeNull();
  });

  it('of another person is not shown where that person did not sign out here', async () => {
    await visit();
    session.clear();
    signIn('bea');
    cleanup();
    // The tab still has what was shown to the first person.
    openApp('/no-such-page');
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
    session.clear();
    cleanup();
    openApp('/sign-in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText(NAME)).toBeNull();
  });

  it('is forgotten by the other tabs when this one forgets it', async () => {
    await visit();
    session.clear();
    localStorage.clear();
    window.dispatchEvent(new StorageEvent('storage', { key: 'vitrine.viewer.brand', newValue: null }));
    openApp('/sign-in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByText(NAME)).toBeNull();
  });

  it('is forgotten when the person leaves the organisation', async () => {
    server.use(http.delete('*/v1/organizations/:id/users/me', () => new HttpResponse(null, { status: 204 })));
    signIn();
    openApp('/org/north/me');
    await userEvent.click(await screen.findByRole('button', { name: /^Leave/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(localStorage.getItem('vitrine.viewer.brand')).toBeNull());
    expect(sessionStorage.getItem('vitrine.viewer.brand')).toBeNull();
  });

  it('is ignored when the stored value is not a brand', async () => {
    localStorage.setItem('vitrine.viewer.brand', '{"uid":"north","name":5}');
    openApp('/sign-in');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    await titled('Sign in · Vitrine');
  });
});

it('the tab is named after the organisation while one of its screens is open', async () => {
  signIn();
  openApp('/org/north/me');
  await titled(`Me · ${NAME}`);
  cleanup();
  openApp('/org/north');
  await titled(NAME);
});
