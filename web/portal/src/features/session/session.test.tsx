/** Signing in by magic link. */
import { screen } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, problem, server, session } from '~/shared/testing/server.ts';

test('a link is sent, the address is kept, and a dialog says so', async () => {
  let sent: unknown;
  server.use(
    http.post('*/v1/auth/magic-links', async ({ request }) => {
      sent = await request.json();
      return Response.json({}, { status: 202 });
    }),
  );
  const { user } = renderAt('/sign-up', { anonymous: true });
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Sign up' }));
  expect(await screen.findByRole('button', { name: /^Resend Magic Link/ })).toBeVisible();
  expect(screen.getByText('Magic link sent successfully.')).toBeVisible();
  expect(sent).toEqual({ email: 'ada@example.com', action: 'signup' });
  expect(localStorage.getItem('emailForSignIn')).toBe('ada@example.com');
});

test('an invalid email silently submits nothing', async () => {
  const { user } = renderAt('/login', { anonymous: true });
  await user.type(await screen.findByLabelText('Email'), 'ada@example');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a failed send shows its toast', async () => {
  server.use(http.post('*/v1/auth/magic-links', () => problem(429, 'Too many')));
  const { user } = renderAt('/login', { anonymous: true });
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('There was a problem sending the magic link.')).toBeVisible();
});

test('a completed login link opens the remembered address, once', async () => {
  let redeemed = 0;
  server.use(
    http.post('*/v1/auth/magic-links/redeem', () => {
      redeemed += 1;
      return Response.json(session);
    }),
  );
  localStorage.setItem('emailForSignIn', 'ada@example.com');
  localStorage.setItem('redirectUrl', '/settings');
  const { path } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
  expect([path(), redeemed]).toEqual(['/settings', 1]);
  expect(localStorage.getItem('emailForSignIn')).toBeNull();
});

test('a completed sign-up link leads to onboarding and keeps the remembered address', async () => {
  server.use(http.post('*/v1/auth/magic-links/redeem', () => Response.json({ ...session, isNew: true })));
  localStorage.setItem('emailForSignIn', 'ada@example.com');
  localStorage.setItem('redirectUrl', `/org/${ORG}/leads`);
  const { path } = renderAt('/authenticate?action=signup&code=abc', { anonymous: true });
  expect(await screen.findByLabelText('First name')).toBeVisible();
  expect(path()).toBe('/on-boarding/details/user');
  expect(localStorage.getItem('redirectUrl')).toBe(`/org/${ORG}/leads`);
});

test('a dead link shows the message of the server on the page', async () => {
  server.use(
    http.post('*/v1/auth/magic-links/redeem', () => problem(400, 'The sign-in link is invalid or has expired.')),
  );
  localStorage.setItem('emailForSignIn', 'ada@example.com');
  renderAt('/authenticate?action=login&code=abc', { anonymous: true });
  expect(await screen.findByText('The sign-in link is invalid or has expired.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to sign in' })).toBeVisible();
});

test('without a stored email the landing page asks for it', async () => {
  const { user } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
  expect(await screen.findByText('Please provide your email for confirmation')).toBeVisible();
  server.use(http.post('*/v1/auth/magic-links/redeem', () => Response.json(session)));
  localStorage.setItem('redirectUrl', '/settings');
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
});

test('onboarding requires the terms, with its exact messages', async () => {
  server.use(
    http.get('*/v1/profiles', () =>
      Response.json({ ...session.profile, firstName: '', lastName: '', phoneNumber: '' }),
    ),
  );
  const { user } = renderAt('/on-boarding/details/user');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  const messages = ['First name is required ', 'Last name is required ', 'Phone number is required '];
  for (const message of messages) {
    expect(
      screen.getByText((_, element) => element?.textContent === message && element.children.length === 0),
    ).toBeVisible();
  }
  expect(screen.getByRole('alert')).toHaveTextContent('Accept to our Terms and Conditions before proceeding further.');
});

test('onboarding saves names, display name and acceptance, and continues', async () => {
  let saved: unknown;
  server.use(
    http.patch('*/v1/profiles', async ({ request }) => {
      saved = await request.json();
      return Response.json(session.profile);
    }),
  );
  localStorage.setItem('redirectUrl', '/settings');
  const { user } = renderAt('/on-boarding/details/user');
  await user.click(await screen.findByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
  expect(saved).toEqual({
    user: {
      firstName: 'Ada',
      lastName: 'Byron',
      phoneNumber: '+44 20 7946 0123',
      displayName: 'Ada Byron',
      termsAccepted: true,
    },
  });
});
