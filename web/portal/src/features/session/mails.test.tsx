/** Reset and confirmation emails: requesting them, and their landing pages. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, test } from 'vitest';
import { session as store } from '~/shared/api/session.ts';
import { answers } from '~/shared/testing/answers.ts';
import { methods, refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { problem, server, sessionOf } from '~/shared/testing/server.ts';

describe('/forgot-password', () => {
  const RESETS = '*/v1/auth/password-resets';

  test('a link is requested once, with a toast and a lasting message', async () => {
    const sent = answers(RESETS, () => Response.json({}, { status: 202 }));
    const { user } = renderAt('/forgot-password', { anonymous: true });
    const field = await screen.findByLabelText('Email');
    await user.type(field, ' ada@example.com');
    fireEvent.submit(field);
    fireEvent.submit(field);
    expect(await screen.findByText('Password reset link sent on you email.')).toBeVisible();
    expect(screen.getByText(/has an account, we have sent a reset link/)).toHaveTextContent(/^If ada@example\.com /);
    expect(sent).toEqual([{ email: 'ada@example.com' }]);
  });

  test("a failure shows the server's message and the wait", async () => {
    answers(RESETS, () => refusal(429, 'too_many_requests', 'Please wait a moment.', { wait: 20 }));
    const { user } = renderAt('/forgot-password', { anonymous: true });
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com{Enter}');
    expect(await screen.findByText('Please wait a moment.')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Send reset link/ })).toHaveTextContent(/\((20|1\d) s\)/);
    expect(screen.queryByText(/we have sent a reset link/)).toBeNull();
  });
});

describe('/reset-password', () => {
  const REDEEM = '*/v1/auth/password-resets/redeem';

  async function typed(url: string, first: string, second: string, anonymous = true) {
    const view = renderAt(url, { anonymous });
    expect(await screen.findByLabelText('New password')).toHaveFocus();
    await view.user.keyboard(first);
    await view.user.type(screen.getByLabelText('Confirm password'), `${second}{Enter}`);
    return view;
  }

  test.each([true, false])('a new password signs in and continues (signed out before: %s)', async (anonymous) => {
    const sent = answers(REDEEM, () => Response.json(sessionOf('ada')));
    localStorage.setItem('redirectUrl', '/settings');
    const { path } = await typed('/reset-password?code=abc', 'correct horse', 'correct horse', anonymous);
    expect(await screen.findByText('Version 2.2.4')).toBeVisible();
    expect(sent).toEqual([{ code: 'abc', password: 'correct horse' }]);
    expect([path(), store.person()]).toEqual(['/settings', 'ada']);
  });

  test('a person without a name goes to onboarding', async () => {
    const nameless = { profile: { ...sessionOf('ada').profile, firstName: '' } };
    answers(REDEEM, () => Response.json(sessionOf('ada', nameless)));
    await typed('/reset-password?code=abc', 'correct horse', 'correct horse');
    expect(await screen.findByLabelText('First name')).toBeVisible();
  });

  test('different passwords are refused at the field', async () => {
    const sent = answers(REDEEM, () => Response.json(sessionOf('ada')));
    await typed('/reset-password?code=abc', 'correct horse', 'correct house');
    expect(screen.getByLabelText('Confirm password')).toHaveAccessibleDescription('Password do not match.');
    expect(sent).toEqual([]);
  });

  test('a weak password is refused at the field, and the link still works', async () => {
    const words = 'This password is easy to guess.';
    const weak = () => refusal(400, 'weak_password', words, { fields: { password: words } });
    const sent = answers(REDEEM, weak, () => Response.json(sessionOf('ada')));
    const { user } = await typed('/reset-password?code=abc', 'password1', 'password1');
    const field = screen.getByLabelText('New password');
    await waitFor(() => expect(field).toHaveAccessibleDescription(expect.stringContaining(words)));
    await user.clear(field);
    await user.type(field, 'correct horse');
    await user.clear(screen.getByLabelText('Confirm password'));
    await user.type(screen.getByLabelText('Confirm password'), 'correct horse{Enter}');
    await waitFor(() => expect(store.person()).toBe('ada'));
    expect(sent).toHaveLength(2);
  });

  test('any other refusal is shown in the form', async () => {
    answers(REDEEM, () => problem(503, 'Later, please.'));
    await typed('/reset-password?code=abc', 'correct horse', 'correct horse');
    expect(await screen.findByRole('alert')).toHaveTextContent('Later, please.');
  });

  test('a dead link says so and offers a new one', async () => {
    answers(REDEEM, () => refusal(400, 'dead_link', 'The reset link is invalid or has expired.'));
    await typed('/reset-password?code=abc', 'correct horse', 'correct horse');
    expect(await screen.findByRole('alert')).toHaveTextContent('The reset link is invalid or has expired.');
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/forgot-password');
  });

  test('without a code the link is dead, and a signed-in person is sent to Settings', async () => {
    renderAt('/reset-password');
    expect(await screen.findByRole('alert')).toHaveTextContent('The reset link is invalid or has expired.');
    expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', '/settings');
  });
});

describe('/verify-email', () => {
  const REDEEM = '*/v1/auth/verifications/redeem';
  const verified = (emailVerified: boolean) =>
    http.get('*/v1/auth/methods', () => Response.json({ ...methods, emailVerified }));
  const dead = () => refusal(400, 'dead_link', 'The confirmation link is invalid or has expired.');

  test('a signed-out person signs in first, and returns with the code', async () => {
    renderAt('/verify-email?code=abc', { anonymous: true });
    await screen.findByRole('button', { name: 'Sign in' });
    expect(localStorage.getItem('redirectUrl')).toBe('/verify-email?code=abc');
  });

  test('the code is redeemed once, and the result offers Continue', async () => {
    const sent = answers(REDEEM, () => new Response(null, { status: 204 }));
    renderAt('/verify-email?code=abc');
    expect(await screen.findByText('Thank you. Your email address is confirmed.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/');
    expect(sent).toEqual([{ code: 'abc' }]);
  });

  test.each([
    ['says so itself', () => refusal(409, 'already_verified', 'Done.')],
    ['calls the link dead', dead],
  ])('an already confirmed address is not an error when the server %s', async (_, reply) => {
    answers(REDEEM, reply);
    server.use(verified(true));
    renderAt('/verify-email?code=abc');
    expect(await screen.findByText('Your email address is already confirmed.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a dead link says so, and another email can be sent', async () => {
    answers(REDEEM, dead);
    let mails = 0;
    server.use(
      verified(false),
      http.post('*/v1/auth/verifications', () => {
        mails += 1;
        return Response.json({}, { status: 202 });
      }),
    );
    const { user } = renderAt('/verify-email?code=abc');
    expect(await screen.findByRole('alert')).toHaveTextContent('The confirmation link is invalid or has expired.');
    await user.click(screen.getByRole('button', { name: 'Resend confirmation email' }));
    expect(await screen.findByText('Confirmation email sent.')).toBeVisible();
    expect(mails).toBe(1);
  });

  test('after a server error the same code can be retried', async () => {
    const sent = answers(
      REDEEM,
      () => problem(503, 'Later, please.'),
      () => new Response(null, { status: 204 }),
    );
    const { user } = renderAt('/verify-email?code=abc');
    expect(await screen.findByRole('alert')).toHaveTextContent('Later, please.');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Thank you. Your email address is confirmed.')).toBeVisible();
    expect(sent).toHaveLength(2);
  });
});
