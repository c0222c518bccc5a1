import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { storage } from '~/shared/lib/storage.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joinable, joined, problem, profile, refusal, server } from '~/shared/testing/server.ts';

/** Records the request bodies of a call. */
function record(method: 'post' | 'patch', path: string, answer: () => Response): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      bodies.push(await request.json());
      return answer();
    }),
  );
  return bodies;
}

/** The messages of the screen, without earlier toasts. */
const alerts = () => within(screen.getByRole('main')).getAllByRole('alert');

describe('joining', () => {
  it('says that a joining link is not valid', async () => {
    const { address } = openApp('/join/old');
    expect(await screen.findByRole('heading', { name: 'This joining link is not valid.' })).toBeVisible();
    expect(screen.getByText(/Ask the organization for a new one/)).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Already joined? Sign in' }));
    await waitFor(() => expect(address()).toBe('/app/sign-in'));
  });

  it('offers a retry if the landing page fails to load', async () => {
    server.use(http.get('*/v1/join/good', () => problem(500, 'Something went wrong. Try again later!')));
    openApp('/join/good');
    const again = await screen.findByRole('button', { name: 'Try again' });
    server.resetHandlers();
    await userEvent.click(again);
    expect(await screen.findByRole('heading', { name: 'Northwind Media' })).toBeVisible();
  });

  it('leads a new person from the landing page to the email', async () => {
    const links = record('post', '/v1/auth/magic-links', () => HttpResponse.json({}, { status: 202 }));
    const { address } = openApp('/join/good');
    await userEvent.click(await screen.findByRole('button', { name: 'Join' }));
    expect(await screen.findByRole('heading', { name: 'Join Northwind Media' })).toBeVisible();
    expect(address()).toBe('/app/sign-in?joinCode=good');

    await userEvent.type(screen.getByLabelText('Email'), 'ann');
    await userEvent.click(screen.getByRole('button', { name: 'Send magic link' }));
    expect(alerts()[0]).toHaveTextContent('Invalid email!');
    expect(links).toEqual([]);

    await userEvent.type(screen.getByLabelText('Email'), '@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Send magic link' }));
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeVisible();
    expect(links).toEqual([{ email: 'ann@example.com', action: 'login', app: 'viewer', joinCode: 'good' }]);
    expect(screen.getByRole('button', { name: /^Resend in/ })).toBeDisabled();
    expect(await screen.findByText('Magic link sent successfully.')).toBeVisible();
  });

  it('shows the message of the server when no link can be sent', async () => {
    server.use(http.post('*/v1/auth/magic-links', () => problem(429, 'Please wait a minute.')));
    openApp('/sign-in');
    await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com{enter}');
    expect(await screen.findByText('Please wait a minute.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  it('leads from the link through details and consent to the playlists', async () => {
    storage.set('email', 'ann@example.com');
    const details = record('patch', '/v1/profiles', () =>
      HttpResponse.json(profile({ firstName: 'Ann', lastName: 'Lee', phoneNumber: '+44 1' })),
    );
    const answers = record('post', '/v1/join/good', () =>
      HttpResponse.json({ organisation: joined() }, { status: 201 }),
    );
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] }), { once: true }));
    const { address } = openApp('/authenticate?code=code&joinCode=good');

    await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(alerts().map((alert) => alert.textContent)).toEqual(['First name is required ', 'Last name is required ']);
    await userEvent.type(screen.getByLabelText('First name'), ' Ann ');
    await userEvent.type(screen.getByLabelText('Last name'), 'Lee');
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }));

    expect(await screen.findByText('You may say no.')).toBeVisible();
    expect(details).toEqual([
      {
        user: {
          firstName: 'Ann',
          lastName: 'Lee',
          displayName: 'Ann Lee',
          company: '',
          jobTitle: '',
          businessArea: '',
        },
      },
    ]);
    await userEvent.click(screen.getByRole('button', { name: 'Yes, I agree' }));
    expect(await screen.findByRole('link', { name: /Playlist one/ })).toBeVisible();
    expect(answers).toEqual([{ consent: true, noticeVersion: '2026-11' }]);
    expect(address()).toBe('/app/org/north');
  });

  it('asks for further details only on request, and lets people skip them', async () => {
    signIn();
    const saved = record('patch', '/v1/profiles', () =>
      HttpResponse.json(profile({ firstName: 'Ann', lastName: 'Lee' })),
    );
    server.use(
      http.get('*/v1/profiles', () => HttpResponse.json(profile()), { once: true }),
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
    );
    openApp('/details?joinCode=good');
    await userEvent.type(await screen.findByLabelText('First name'), 'Ann');
    await userEvent.type(screen.getByLabelText('Last name'), 'Lee');
    await userEvent.click(screen.getByRole('button', { name: 'Add phone and company' }));
    expect(await screen.findByRole('heading', { name: 'About your work' })).toBeVisible();
    expect(screen.getByLabelText('Phone number')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Skip' }));
    expect(await screen.findByText('You may say no.')).toBeVisible();
    expect(saved).toHaveLength(1);
  });

  it('shows some playlists before joining', async () => {
    const glimpse = [
      { title: 'Talks', previewUrl: '', contentCount: 1 },
      { title: 'Talks', previewUrl: 'http://127.0.0.1:8080/images/a.png', contentCount: 12 },
    ];
    server.use(http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, glimpse })));
    openApp('/join/good');
    expect(await screen.findByRole('heading', { name: 'Inside' })).toBeVisible();
    expect(screen.getAllByText('Talks')).toHaveLength(2);
    // Without an image, the letters of the title.
    expect(screen.getAllByText('T')).toHaveLength(1);
    expect(screen.getByText('1 item')).toBeVisible();
    expect(screen.getByText('12 items')).toBeVisible();
  });

  it('explains how to prove an address before joining', async () => {
    signIn();
    server.use(
      http.post('*/v1/join/good', () => refusal(403, 'email_unproved', 'Please confirm your email address first.')),
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
    );
    const { address } = openApp('/join/good/consent');
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, I agree' }));
    expect(await screen.findByRole('heading', { name: 'Please confirm your email address first' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in by email' }));
    await waitFor(() => expect(address()).toBe('/app/sign-in?joinCode=good'));
  });

  it('sends a no as a no', async () => {
    signIn();
    const answers = record('post', '/v1/join/good', () => HttpResponse.json({ organisation: joined() }));
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] }), { once: true }));
    openApp('/join/good');
    await userEvent.click(await screen.findByRole('button', { name: 'Join' }));
    await userEvent.click(await screen.findByRole('button', { name: 'No, join without sharing' }));
    await waitFor(() => expect(answers).toEqual([{ consent: false, noticeVersion: '2026-11' }]));
  });

  it('asks once: the question of the notice is the title', async () => {
    signIn();
    const notice = { version: '2026-11', text: 'May we see what you watch here?\n\nYou may say no.' };
    server.use(
      http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, notice })),
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
    );
    openApp('/join/good/consent');
    expect(await screen.findByText('You may say no.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'May we see what you watch here?' })).toBeVisible();
    expect(screen.getAllByText(/\?$/)).toHaveLength(1);
  });

  it('shows the new notice when it changed while the old one was read', async () => {
    signIn();
    server.use(
      http.post('*/v1/join/good', () => problem(409, 'The notice has changed.')),
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
    );
    openApp('/join/good/consent');
    const yes = await screen.findByRole('button', { name: 'Yes, I agree' });
    const notice = { version: '2026-12', text: 'A new notice.' };
    server.use(http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, notice })));
    await userEvent.click(yes);
    expect(await screen.findByText('A new notice.')).toBeVisible();
  });

  it('does not ask a person who has already answered', async () => {
    signIn();
    const { address } = openApp('/join/good/consent');
    expect(await screen.findByRole('link', { name: /Playlist one/ })).toBeVisible();
    expect(address()).toBe('/app/org/north');
  });

  it('sends a signed-out person to sign-in and remembers the page', async () => {
    const { address } = openApp('/org/north/me');
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(address()).toBe('/app/sign-in');
    expect(storage.get('next')).toBe('/org/north/me');
  });

  it('says the same on the question if the link became invalid', async () => {
    signIn();
    openApp('/join/old/consent');
    expect(await screen.findByRole('heading', { name: 'This joining link is not valid.' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to your playlists' })).toHaveAttribute('href', '/app/');
    expect(await screen.findByText('Northwind Media'), 'in the brand of the own organization').toBeVisible();
  });

  it('fills in the address that was invited', async () => {
    server.use(http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, invitedEmail: 'ann@example.com' })));
    openApp('/sign-in?joinCode=good');
    expect(await screen.findByDisplayValue('ann@example.com')).toHaveAccessibleName('Email');
  });

  it('lets people with another address change the account', async () => {
    signIn();
    server.use(
      http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, invitedEmail: 'bea@example.com' })),
      http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
    );
    const { address } = openApp('/join/good/consent');
    expect(await screen.findByRole('heading', { name: 'This invitation is for another email address' })).toBeVisible();
    expect(screen.getByText('It is for bea@example.com, but you are signed in as ann@example.com.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in with another account' }));
    expect(await screen.findByDisplayValue('bea@example.com')).toBeVisible();
    expect(address()).toBe('/app/sign-in?joinCode=good');
  });

  it('lets a member who opens an invitation of somebody else go to the app', async () => {
    signIn();
    server.use(http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, invitedEmail: 'bea@example.com' })));
    const { address } = openApp('/join/good/consent');
    await userEvent.click(await screen.findByRole('link', { name: 'Go to your playlists' }));
    await waitFor(() => expect(address()).toBe(`/app/org/${joined().uid}`));
  });
});
