/** The settings screen. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { session } from '~/shared/api/session.ts';
import { answers } from '~/shared/testing/answers.ts';
import { methods, refusal, sessions } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, membership, problem, server } from '~/shared/testing/server.ts';

const section = async (name: string) => within(await screen.findByRole('region', { name }));
const rows = async (name: string) => within(await screen.findByRole('list', { name })).getAllByRole('listitem');

describe('help', () => {
  test('shows the version and four external links with the addresses of the server', async () => {
    renderAt('/settings');
    const help = await section('Help');
    expect(help.getByText('Version 2.2.4')).toBeVisible();
    const links = await help.findAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Terms and conditions', 'http://127.0.0.1:8080/terms'],
      ['Privacy notice', 'http://127.0.0.1:8080/privacy'],
      ['Contact us', 'http://127.0.0.1:8080/contact'],
      ['Help and support', 'http://127.0.0.1:8080/help'],
    ]);
    for (const link of links) {
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noopener');
    }
  });

  test('an invalid URL is not a link', async () => {
    server.use(
      http.get('*/v1/config', () =>
        HttpResponse.json({
          termsUrl: 'javascript:alert(1)',
          privacyUrl: '',
          contactUrl: 'https://c.example',
          helpUrl: 'x',
        }),
      ),
    );
    renderAt('/settings');
    const help = await section('Help');
    expect((await help.findAllByRole('link')).map((link) => link.textContent)).toEqual(['Contact us']);
    expect(help.getByText('Terms and conditions')).toBeVisible();
  });

  test('links that fail to load can be retried', async () => {
    server.use(http.get('*/v1/config', () => problem(403, 'Not now'), { once: true }));
    const { user } = renderAt('/settings');
    const help = await section('Help');
    expect(await help.findByText('Not now')).toBeVisible();
    expect(help.getByText('Version 2.2.4')).toBeVisible();
    await user.click(help.getByRole('button', { name: 'Try again' }));
    expect(await help.findAllByRole('link')).toHaveLength(4);
  });
});

test('the theme is the same here and in the sidebar, and is remembered', async () => {
  const { user } = renderAt('/settings');
  const look = await section('Appearance');
  expect(look.getByRole('radio', { name: 'System' })).toBeChecked();
  await user.click(look.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark');
  await user.click(screen.getByRole('button', { name: 'Theme' }));
  await user.click(await screen.findByRole('menuitem', { name: 'System' }));
  expect(look.getByRole('radio', { name: 'System' })).toBeChecked();
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('auto');
});

test('without a choice the look is that of the system', async () => {
  const media = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({ ...media(query), matches: query.includes('dark') }));
  renderAt('/settings');
  await section('Appearance');
  expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark');
  vi.restoreAllMocks();
});

describe('ways to sign in', () => {
  const given = (fields: Partial<typeof methods>) =>
    server.use(http.get('*/v1/auth/methods', () => HttpResponse.json({ ...methods, ...fields })));
  const texts = async () => (await rows('Sign-in methods')).map(({ textContent }) => textContent);

  test('are shown with what is set and linked', async () => {
    renderAt('/settings');
    expect(await texts()).toEqual([
      'EmailConfirmedada@example.com',
      'PasswordSetSend reset link',
      'GoogleLinked',
      'AppleNot linked',
    ]);
  });

  test('the confirmation email of an unconfirmed address can be resent', async () => {
    given({ emailVerified: false });
    server.use(http.post('*/v1/auth/verifications', () => Response.json({}, { status: 202 })));
    const { user } = renderAt('/settings');
    expect((await texts())[0]).toContain('Not confirmed');
    await user.click(screen.getByRole('button', { name: 'Resend confirmation email' }));
    expect(await screen.findByText('Confirmation email sent.')).toBeVisible();
  });

  test('an address confirmed meanwhile shows as confirmed, without an error', async () => {
    let asked = 0;
    server.use(
      http.get('*/v1/auth/methods', () => {
        asked += 1;
        return HttpResponse.json({ ...methods, emailVerified: asked > 1 });
      }),
      http.post('*/v1/auth/verifications', () =>
        refusal(409, 'already_verified', 'This email address is already confirmed.'),
      ),
    );
    const { user } = renderAt('/settings');
    await user.click(await screen.findByRole('button', { name: 'Resend confirmation email' }));
    expect(await screen.findByText('Confirmed')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test("too many emails show the server's message and the wait", async () => {
    given({ emailVerified: false });
    server.use(http.post('*/v1/auth/verifications', () => refusal(429, 'slow', 'Please wait a moment.', { wait: 30 })));
    const { user } = renderAt('/settings');
    const button = await screen.findByRole('button', { name: 'Resend confirmation email' });
    await user.click(button);
    expect(await screen.findByText('Please wait a moment.')).toBeVisible();
    await waitFor(() => expect(button).toHaveTextContent(/\((30|[12]\d) s\)/));
  });

  test.each([
    [true, 'Send reset link'],
    [false, 'Set a password by email'],
  ])('a password (set: %s) is changed by email', async (password, button) => {
    given({ password });
    const sent = answers('*/v1/auth/password-resets', () => Response.json({}, { status: 202 }));
    const { user } = renderAt('/settings');
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByText('Password reset link sent on you email.')).toBeVisible();
    expect(sent).toEqual([{ email: 'ada@example.com' }]);
  });

  test('that fail to load can be retried', async () => {
    server.use(http.get('*/v1/auth/methods', () => problem(403, 'Not now'), { once: true }));
    const { user } = renderAt('/settings');
    const security = await section('Security');
    await security.findByText('Not now');
    await user.click(security.getByRole('button', { name: 'Try again' }));
    expect(await security.findByText('ada@example.com')).toBeVisible();
  });
});

describe('sessions', () => {
  const NAME = 'Where you are signed in';

  test('show device, place, app and time, this device first', async () => {
    renderAt('/settings');
    const [first, second, third] = await rows(NAME);
    expect(first).toHaveTextContent('Chrome on WindowsThis device198.51.100.4 · Portal · Active now');
    expect(second).toHaveTextContent('Unknown deviceUnknown location · Portal ·');
    expect(third).toHaveTextContent('Safari on iPhone203.0.113.7 · Viewer app ·');
    expect(within(first as HTMLElement).queryByRole('button')).toBeNull();
  });

  test('one is ended after confirmation, and focus stays on the list', async () => {
    let left = sessions;
    server.use(
      http.get('*/v1/auth/sessions', () => list(left)),
      http.delete('*/v1/auth/sessions/:uid', ({ params }) => {
        left = left.filter(({ uid }) => uid !== params.uid);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderAt('/settings');
    const end = await screen.findByRole('button', { name: 'End session: Safari on iPhone' });
    await user.click(end);
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
    expect(dialog.getByText(/End the session on Safari on iPhone\?/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(end).toHaveFocus());
    expect(left).toHaveLength(3);
    await user.click(end);
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Confirmation' })).getByRole('button', { name: 'End session' }),
    );
    expect(await screen.findByText('Session ended.')).toBeVisible();
    expect(left.map(({ uid }) => uid)).toEqual(['here', 'nameless']);
    expect(await rows(NAME)).toHaveLength(2);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('heading', { name: NAME })).toHaveFocus();
  });

  test.each([
    [404, 'Session ended.', 2],
    [403, 'Not yours', 3],
  ])('one that answers %i: "%s"', async (status, words, left) => {
    server.use(
      http.get('*/v1/auth/sessions', () => list(sessions), { once: true }),
      http.get('*/v1/auth/sessions', () => list(left === 2 ? sessions.slice(1) : sessions)),
      http.delete('*/v1/auth/sessions/:uid', () => problem(status, 'Not yours')),
    );
    const { user } = renderAt('/settings');
    await user.click(await screen.findByRole('button', { name: 'End session: Safari on iPhone' }));
    await user.click(await screen.findByRole('button', { name: 'End session' }));
    expect(await screen.findByText(words)).toBeVisible();
    expect(await rows(NAME)).toHaveLength(left);
  });

  test('all are ended after confirmation, including this one', async () => {
    const queries: string[] = [];
    server.use(
      http.post('*/v1/auth/sign-out', ({ request }) => {
        queries.push(new URL(request.url).search);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user, path } = renderAt('/settings');
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
    await user.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    await screen.findByRole('button', { name: 'Sign in' });
    expect([path(), queries, session.token()]).toEqual(['/login', ['?everywhere=1'], null]);
  });

  test('if the server cannot be reached, none ends and the error is shown', async () => {
    server.use(http.post('*/v1/auth/sign-out', () => problem(503, 'Not now')));
    const { user, path } = renderAt('/settings');
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
    await user.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    expect(await screen.findByText('Not now')).toBeVisible();
    expect([path(), session.token()]).toEqual(['/settings', 'token']);
  });

  test('only a few of many are shown at first', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...sessions[0], uid: `s${index}` }));
    server.use(http.get('*/v1/auth/sessions', () => HttpResponse.json({ data: many })));
    const { user } = renderAt('/settings');
    expect(await rows(NAME)).toHaveLength(5);
    await user.click(screen.getByRole('button', { name: 'Show all 12' }));
    expect(await rows(NAME)).toHaveLength(12);
    expect(screen.getByRole('button', { name: 'Show fewer' })).toHaveFocus();
  });

  test('an empty list shows a message', async () => {
    server.use(http.get('*/v1/auth/sessions', () => list([])));
    renderAt('/settings');
    expect(await screen.findByText('No sessions to show.')).toBeVisible();
  });

  test('that fail to load can be retried', async () => {
    server.use(http.get('*/v1/auth/sessions', () => problem(403, 'Not now'), { once: true }));
    const { user } = renderAt('/settings');
    const security = await section('Security');
    await security.findByText('Not now');
    await user.click(security.getByRole('button', { name: 'Try again' }));
    expect(await rows(NAME)).toHaveLength(3);
  });
});

describe('membership', () => {
  test('staff leave after a confirmation; the only super admin sees why not', async () => {
    const other = membership('teamUser', '019a0000-0000-7000-8000-000000000002', 'Southwind');
    let joined = [membership('superAdmin'), other];
    server.use(
      http.get('*/v1/profiles/roles/detailed', () => list(joined)),
      http.delete('*/v1/organizations/:id/users/me', ({ params: { id } }) => {
        if (id !== other.organisation.uid) {
          return refusal(409, 'last_super_admin', 'An organisation needs at least one super admin.');
        }
        joined = [membership('superAdmin')];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = renderAt('/settings');
    const leave = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: `Leave ${name}` }));
      const asking = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
      await user.click(asking.getByRole('button', { name: 'Leave' }));
    };
    await leave('Northwind');
    expect(await screen.findByText('An organisation needs at least one super admin.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await leave('Southwind');
    expect(await screen.findByText('You left the organization.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Leave Southwind' })).toBeNull());
    expect(screen.getByRole('button', { name: 'Leave Northwind' })).toBeVisible();
  });
});
