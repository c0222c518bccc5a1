import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { storage } from '~/shared/lib/storage.ts';
import { openApp } from '~/shared/testing/open-app.tsx';
import { joinable, problem, profile, refusal, server, signedIn, tokenOf } from '~/shared/testing/server.ts';
import { keepSent, keptSent } from './sent-email.ts';

describe('signing in', () => {
  it('signs in with the code of the email as soon as it is complete', async () => {
    const { address } = openApp('/sign-in?joinCode=good');
    await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com{enter}');
    const code = await screen.findByLabelText('Six-digit code');
    await userEvent.type(code, '12{enter}');
    expect(await screen.findByText('The code has six digits.')).toBeVisible();
    await userEvent.clear(code);
    await userEvent.type(code, '654321');
    expect(await screen.findByText('This code is not right.')).toBeVisible();
    await userEvent.clear(code);
    await userEvent.paste('123 456');
    expect(await screen.findByRole('heading', { name: 'What is your name?' })).toBeVisible();
    expect(address()).toBe('/app/details?joinCode=good');
    expect(storage.get('email')).toBeNull();
  });

  it('still waits for the email after a reload, until another address is wanted', async () => {
    openApp('/sign-in?joinCode=good');
    await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com{enter}');
    await screen.findByLabelText('Six-digit code');
    cleanup();
    openApp('/sign-in?joinCode=good');
    expect(await screen.findByLabelText('Six-digit code')).toBeVisible();
    expect(screen.getByText(/We wrote to ann@example.com/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Use another email' }));
    expect(await screen.findByLabelText('Email')).toBeVisible();
    cleanup();
    openApp('/sign-in?joinCode=good');
    expect(await screen.findByLabelText('Email'), 'it was given up').toBeVisible();
  });

  it('waits for the email of this joining link, as long as its code may be valid', () => {
    keepSent({ email: 'ann@example.com', at: 1000 }, 'good');
    expect(keptSent('good', 2000)).toEqual({ email: 'ann@example.com', at: 1000 });
    expect(keptSent('other', 2000)).toBeNull();
    expect(keptSent(undefined, 2000)).toBeNull();
    expect(keptSent('good', 1000 + 10 * 60_000)).toBeNull();
    sessionStorage.setItem('vitrine.viewer.sent', '{');
    expect(keptSent('good', 2000)).toBeNull();
  });

  it('signs in with a password', async () => {
    server.use(
      http.post('*/v1/auth/sign-in', () => refusal(401, 'wrong_password', 'The e-mail or password is wrong.'), {
        once: true,
      }),
      http.post('*/v1/auth/sign-in', () => HttpResponse.json(signedIn({ firstName: 'Ann' }))),
    );
    const { address } = openApp('/sign-in');
    await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com');
    await userEvent.click(screen.getByRole('button', { name: 'Use a password' }));
    expect(await screen.findByDisplayValue('ann@example.com')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Please enter your password.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Password'), 'wren{enter}');
    expect(await screen.findByText('The e-mail or password is wrong.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(address()).toBe('/app/org/north'));
  });

  it('says so if the browser cannot open the window of a provider', async () => {
    vi.stubGlobal('open', () => null);
    vi.stubGlobal('BroadcastChannel', undefined);
    openApp('/sign-in');
    await userEvent.click(await screen.findByRole('button', { name: 'Continue with Google' }));
    expect(await screen.findByText('There was a problem signing in with Google.')).toBeVisible();
    vi.unstubAllGlobals();
  });

  it('keeps the brand on the page that the link of an invitation opens, also when the link is used up', async () => {
    openApp('/authenticate?code=old&joinCode=good');
    expect(await screen.findByText('Northwind Media')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com{enter}');
    expect(await screen.findByRole('heading', { name: 'This link did not work' })).toBeVisible();
    expect(screen.getByText('Northwind Media')).toBeVisible();
  });

  it('has the wallpaper of the organisation as its background', async () => {
    const url = 'https://vitrine.example/images/wall.jpg';
    const { organisation } = joinable;
    server.use(
      http.get('*/v1/join/good', () =>
        HttpResponse.json({
          ...joinable,
          organisation: { ...organisation, theme: { ...organisation.theme, backgroundUrl: url } },
        }),
      ),
    );
    openApp('/sign-in?joinCode=good');
    expect(await screen.findByText('Northwind Media')).toBeVisible();
    expect(document.querySelector('main img')).toHaveAttribute('src', url);
  });

  it('asks for the address when the link is opened on another device', async () => {
    openApp('/authenticate?code=code');
    expect(await screen.findByRole('heading', { name: 'Please provide your email for confirmation' })).toBeVisible();
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.com{enter}');
    expect(await screen.findByRole('heading', { name: 'What is your name?' })).toBeVisible();
  });

  it('shows why a link did not work and offers a new one', async () => {
    storage.set('email', 'ann@example.com');
    openApp('/authenticate?code=used&joinCode=good');
    expect(await screen.findByText('The sign-in link is invalid or has expired.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Get a new link' })).toHaveAttribute('href', '/app/sign-in?joinCode=good');
  });

  it('takes another address if a different one is stored', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/v1/auth/magic-links/redeem', async ({ request }) => {
        const body = (await request.json()) as { email: string };
        sent.push(body.email);
        if (body.email !== 'ann@example.com') return problem(400, 'The sign-in link is invalid or has expired.');
        return HttpResponse.json({ accessToken: tokenOf('ann'), expiresIn: 3600, isNew: true, profile: profile() });
      }),
    );
    storage.set('email', 'bea@example.com');
    openApp('/authenticate?code=code');
    await userEvent.click(await screen.findByRole('button', { name: 'Use another email' }));
    await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com{enter}');
    expect(await screen.findByRole('heading', { name: 'What is your name?' })).toBeVisible();
    expect(sent).toEqual(['bea@example.com', 'ann@example.com']);
  });

  it('names a lost connection, and retries the link', async () => {
    server.use(http.post('*/v1/auth/magic-links/redeem', () => HttpResponse.error(), { once: true }));
    storage.set('email', 'ann@example.com');
    openApp('/authenticate?code=code');
    expect(await screen.findByText(/^The server could not be reached\./)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'What is your name?' })).toBeVisible();
  });

  it('keeps a code that looks like a number as a string', async () => {
    const codes: unknown[] = [];
    server.use(
      http.post('*/v1/auth/magic-links/redeem', async ({ request }) => {
        codes.push(await request.json());
        return problem(400, 'Dead');
      }),
    );
    storage.set('email', 'ann@example.com');
    openApp('/authenticate?code=12e345678901234567890');
    expect(await screen.findByText('Dead')).toBeVisible();
    expect(codes).toEqual([{ email: 'ann@example.com', code: '12e345678901234567890', app: 'viewer' }]);
  });

  it('closes a message on request', async () => {
    server.use(http.post('*/v1/auth/magic-links', () => problem(500, 'Out of order')));
    openApp('/sign-in');
    await userEvent.type(await screen.findByLabelText('Email'), 'ann@example.com{enter}');
    const message = await screen.findByText('Out of order');
    for (const button of screen.getAllByRole('button', { name: 'Close message' })) fireEvent.click(button);
    expect(message).not.toBeInTheDocument();
  });
});
