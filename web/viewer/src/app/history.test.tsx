/** Back, deep links and dead links. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, playlist, server, signedIn } from '~/shared/testing/server.ts';

const LINK = '/org/north/playlists/one?item=b&t=65';

beforeEach(() => {
  server.use(
    http.get('*/v1/playlists/one', () => HttpResponse.json(playlist('one'))),
    http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: [content('a'), content('b')] })),
    http.post('*/v1/auth/magic-links/redeem-code', () => HttpResponse.json(signedIn({ firstName: 'Ann' }))),
  );
});

async function askForCode() {
  await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com{enter}');
  return screen.findByLabelText('Six-digit code');
}

describe('Back', () => {
  it('closes a question instead of leaving its screen, and then leaves', async () => {
    signIn();
    const { back, address } = openApp('/org/north/me', ['/org/north']);
    await userEvent.click(await screen.findByRole('button', { name: 'Leave organization' }));
    expect(screen.getByRole('dialog', { name: 'Leave Northwind Media?' })).toBeVisible();
    await back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/app/org/north/me');
    await back();
    await waitFor(() => expect(address()).toBe('/app/org/north'));
  });

  it('needs no second press after a question was closed by its button', async () => {
    signIn();
    const { back, address } = openApp('/org/north/me', ['/org/north']);
    await userEvent.click(await screen.findByRole('button', { name: 'Erase my account' }));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByRole('heading', { name: 'Me' })).toBeVisible();
    await back();
    await waitFor(() => expect(address()).toBe('/app/org/north'));
  });

  it('closes the sheet for sharing and keeps the player', async () => {
    signIn();
    const { back, address } = openApp(LINK);
    const heading = await screen.findByRole('heading', { name: 'Item b' });
    await userEvent.click(screen.getByRole('button', { name: 'Share' }));
    expect(screen.getByRole('dialog')).toBeVisible();
    await back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(heading).toBeInTheDocument();
    expect(address()).toBe(`/app${LINK}`);
  });

  it('returns from the code to the email', async () => {
    const { back, address } = openApp('/sign-in', ['/join/good']);
    await askForCode();
    await back();
    expect(await screen.findByLabelText('Email')).toHaveValue('ann@example.com');
    expect(address()).toBe('/app/sign-in');
  });

  it('never returns to signing in afterwards', async () => {
    const { back, address } = openApp('/sign-in', ['/join/good']);
    await userEvent.type(await askForCode(), '123456');
    await waitFor(() => expect(address()).toBe('/app/org/north'));
    await back();
    await waitFor(() => expect(address()).toBe('/app/join/good'));
  });
});

describe('a deep link', () => {
  it('survives signing in with a code', async () => {
    const { address } = openApp(LINK);
    await userEvent.type(await askForCode(), '123456');
    expect(await screen.findByRole('heading', { name: 'Item b' })).toBeVisible();
    expect(address()).toBe(`/app${LINK}`);
  });

  it('survives signing in with the emailed link, and the first question about the name', async () => {
    openApp(LINK);
    await askForCode();
    server.use(
      http.patch('*/v1/profiles', () =>
        HttpResponse.json({ ...signedIn().profile, firstName: 'Ann', lastName: 'Lee' }),
      ),
      http.get('*/v1/profiles', () => HttpResponse.json(signedIn().profile)),
    );
    document.body.replaceChildren();
    const { address } = openApp('/authenticate?code=code');
    await userEvent.type(await screen.findByLabelText('First name'), 'Ann');
    await userEvent.type(screen.getByLabelText('Last name'), 'Lee');
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
    expect(await screen.findByRole('heading', { name: 'Item b' })).toBeVisible();
    expect(address()).toBe(`/app${LINK}`);
  });
});

describe('a dead link', () => {
  beforeEach(() => signIn());

  it('to an item shows its playlist and says so', async () => {
    openApp('/org/north/playlists/one?item=gone');
    expect(await screen.findByText(/^This item is no longer available\./)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Item a' })).toBeVisible();
  });

  it('to an organization says how to join it', async () => {
    openApp('/org/other/playlists/one');
    expect(await screen.findByText('Ask the organization for a joining link.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your playlists' })).toHaveAttribute('href', '/app/');
  });

  it('to a page that does not exist leads to the playlists', async () => {
    openApp('/nowhere');
    expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeVisible();
    expect(screen.getByText(/ask the person who sent it for a new one/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your playlists' })).toBeVisible();
    expect(await screen.findByText('Northwind Media'), 'in the brand of the own organization').toBeVisible();
  });
});
