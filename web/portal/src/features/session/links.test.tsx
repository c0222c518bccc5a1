/** Magic links: the landing page, and the dialog after sending one. */
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { session as store } from '~/shared/api/session.ts';
import { answers } from '~/shared/testing/answers.ts';
import { refusal, tokenOf } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { sessionOf } from '~/shared/testing/server.ts';

const MAGIC = '*/v1/auth/magic-links/redeem';
const DEAD = 'The sign-in link is invalid or has expired.';

describe('/authenticate', () => {
  test("a wrong address keeps the link valid, shows the server's message, and another can be tried", async () => {
    const sent = answers(
      MAGIC,
      () => refusal(400, 'dead_link', DEAD),
      () => Response.json(sessionOf('ada')),
    );
    localStorage.setItem('redirectUrl', '/settings');
    const { user, path } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
    const field = await screen.findByLabelText('Email');
    expect(field).toHaveFocus();
    await user.keyboard('bea@example.com{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(DEAD);
    await waitFor(() => expect(field).toHaveFocus());
    await user.clear(field);
    await user.keyboard('ada@example.com{Enter}');
    expect(await screen.findByText('Version 2.2.4')).toBeVisible();
    expect(sent).toEqual([
      { email: 'bea@example.com', code: 'abc' },
      { email: 'ada@example.com', code: 'abc' },
    ]);
    expect(path()).toBe('/settings');
  });

  test('if the stored address is wrong, another can be entered', async () => {
    const sent = answers(
      MAGIC,
      () => refusal(400, 'dead_link', DEAD),
      () => Response.json(sessionOf('ada')),
    );
    localStorage.setItem('emailForSignIn', 'bea@example.com');
    const { user } = renderAt('/authenticate?action=signup&code=abc', { anonymous: true });
    expect(await screen.findByRole('alert')).toHaveTextContent(DEAD);
    await user.click(screen.getByRole('button', { name: 'Try another email' }));
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com{Enter}');
    expect(await screen.findByLabelText('First name')).toBeVisible();
    expect(sent).toHaveLength(2);
  });

  test('an invalid address sends nothing', async () => {
    const sent = answers(MAGIC, () => refusal(400, 'dead_link', DEAD));
    const { user } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
    await user.type(await screen.findByLabelText('Email'), 'ada@example{Enter}');
    expect(sent).toEqual([]);
  });

  test('a link opened while another person is signed in replaces them', async () => {
    answers(MAGIC, () => Response.json(sessionOf('bea')));
    localStorage.setItem('emailForSignIn', 'bea@example.com');
    localStorage.setItem('redirectUrl', '/settings');
    localStorage.setItem('accountId', 'of-ada');
    sessionStorage.setItem('selectedOrganizationId', 'of-ada');
    const { path } = renderAt('/authenticate?action=login&code=abc');
    store.save(tokenOf('ada'));
    expect(await screen.findByText('Version 2.2.4')).toBeVisible();
    expect([path(), store.person()]).toEqual(['/settings', 'bea']);
    expect([localStorage.getItem('accountId'), sessionStorage.getItem('selectedOrganizationId')]).toEqual([null, null]);
  });

  test('a failed link keeps the current person signed in', async () => {
    answers(MAGIC, () => refusal(400, 'dead_link', DEAD));
    localStorage.setItem('emailForSignIn', 'bea@example.com');
    renderAt('/authenticate?action=login&code=abc');
    expect(await screen.findByRole('alert')).toHaveTextContent(DEAD);
    expect(store.token()).toBe('token');
  });

  test.each([
    [
      'a dead connection',
      () => Response.error(),
      'The server could not be reached. Check your connection, then try again.',
    ],
    ['an overloaded server', () => refusal(503, 'busy', 'Please try again later.'), 'Please try again later.'],
    ['too many tries', () => refusal(429, 'too_many_requests', 'Too many requests.'), 'Too many requests.'],
  ])('%s is named, and the link can be retried', async (_, reply, message) => {
    const sent = answers(MAGIC, reply, () => Response.json(sessionOf('ada')));
    localStorage.setItem('emailForSignIn', 'ada@example.com');
    localStorage.setItem('redirectUrl', '/settings');
    const { user, path } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.queryByText('This link did not work')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Version 2.2.4')).toBeVisible();
    expect([path(), sent.length]).toEqual(['/settings', 2]);
  });

  test('a link without a code is dead', async () => {
    renderAt('/authenticate?action=login', { anonymous: true });
    expect(await screen.findByRole('alert')).toHaveTextContent(DEAD);
  });

  test.each(['login', 'signup', 'other', ''])(
    'with action "%s" a nameless person goes to onboarding',
    async (action) => {
      const nameless = { profile: { ...sessionOf('ada').profile, firstName: '' } };
      answers(MAGIC, () => Response.json(sessionOf('ada', nameless)));
      localStorage.setItem('emailForSignIn', 'ada@example.com');
      const { path } = renderAt(`/authenticate?action=${action}&code=abc`, { anonymous: true });
      await screen.findByLabelText('First name');
      expect(path()).toBe('/on-boarding/details/user');
    },
  );
});

describe('the magic link dialog', () => {
  afterEach(() => void vi.useRealTimers());

  async function openDialog(...replies: (() => Response)[]) {
    const sent = answers('*/v1/auth/magic-links', () => Response.json({}, { status: 202 }), ...replies);
    const view = renderAt('/login', { anonymous: true });
    await view.user.type(await screen.findByLabelText('Email'), 'ada@example.com{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Check your inbox' }));
    return { ...view, dialog, sent };
  }

  test('the Enter that submits the form does not send a second link', async () => {
    const { user, sent, dialog } = await openDialog();
    await user.keyboard('{Enter}');
    expect(dialog.getByText('ada@example.com')).toBeVisible();
    expect(sent).toHaveLength(1);
  });

  /** Waits out the minute in which the server would refuse. */
  const aMinuteLater = () => vi.setSystemTime(Date.now() + 60_000);
  const offered = (button: HTMLElement) => waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));

  test('another link can be sent after a minute, and not before', async () => {
    // A toast goes away after four seconds.
    const toasts = vi.spyOn(notifications, 'show');
    onTestFinished(() => toasts.mockRestore());
    const { user, sent, dialog } = await openDialog();
    const resend = dialog.getByRole('button', { name: /^Resend Magic Link/ });
    expect(resend).toHaveTextContent(/\((60|[45]\d) s\)/);
    await user.click(resend);
    expect(sent).toHaveLength(1);
    aMinuteLater();
    await offered(resend);
    await user.click(resend);
    await waitFor(() => expect(sent).toHaveLength(2));
    await waitFor(() => expect(toasts).toHaveBeenCalledTimes(2));
    expect(toasts.mock.calls.map(([{ message }]) => message)).toEqual(Array(2).fill('Magic link sent successfully.'));
    await waitFor(() => expect(resend).toHaveTextContent(/\((60|59) s\)/));
  });

  test.each([
    [42, /\((42|41) s\)/],
    [undefined, /\((60|59) s\)/],
  ])('a refusal fails with its toast and counts down from %s', async (wait, shown) => {
    const { user, sent, dialog } = await openDialog(() =>
      refusal(429, 'too_many_requests', 'Please wait a moment.', wait === undefined ? {} : { wait }),
    );
    const resend = dialog.getByRole('button', { name: /^Resend Magic Link/ });
    aMinuteLater();
    await offered(resend);
    await user.click(resend);
    expect(await screen.findByText('There was a problem sending the magic link.')).toBeVisible();
    await waitFor(() => expect(resend).toHaveTextContent(shown));
    expect(resend).toHaveAttribute('aria-disabled', 'true');
    expect(resend).toHaveFocus();
    await user.click(resend);
    expect(sent).toHaveLength(2);
  });

  test('closing it focuses the email', async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByLabelText('Email')).toHaveFocus();
  });
});
