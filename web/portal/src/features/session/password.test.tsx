/** Signing in and up with a password. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { problem, server, sessionOf } from '~/shared/testing/server.ts';

/** Types the address, sends the link, and opens the password dialog. */
async function openDialog(path: '/login' | '/sign-up') {
  server.use(http.post('*/v1/auth/magic-links', () => Response.json({}, { status: 202 })));
  const view = renderAt(path, { anonymous: true });
  const { user } = view;
  await user.type(await screen.findByLabelText('Email'), ' ada@example.com ');
  await user.click(screen.getByRole('button', { name: path === '/login' ? 'Sign in' : 'Sign up' }));
  await user.click(await screen.findByRole('button', { name: 'Sign in manually' }));
  const password = await screen.findByLabelText('Password');
  const dialog = within(screen.getByRole('dialog'));
  return { ...view, dialog, password };
}

/** Answers a call and counts it. */
function answer(path: string, reply: () => Response) {
  const sent: unknown[] = [];
  server.use(
    http.post(`*${path}`, async ({ request }) => {
      sent.push(await request.json());
      return reply();
    }),
  );
  return sent;
}

const WRONG = () => refusal(401, 'wrong_password', 'The e-mail or password is wrong.');
const toasts = async () => (await screen.findAllByRole('alert')).map(({ textContent }) => textContent);

test('the dialog uses the typed email and focuses the password', async () => {
  const sent = answer('/v1/auth/sign-in', () => Response.json(sessionOf('ada')));
  const { user, dialog, password, path } = await openDialog('/login');
  localStorage.setItem('redirectUrl', '/settings');
  expect(password).toHaveFocus();
  expect(dialog.getByText('ada@example.com')).toBeVisible();
  await user.keyboard('correct horse{Enter}');
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
  expect(sent).toEqual([{ email: 'ada@example.com', password: 'correct horse' }]);
  expect([path(), localStorage.getItem('emailForSignIn')]).toEqual(['/settings', null]);
});

test('a failed sign-in shows only its toast, and the password is marked and selected', async () => {
  answer('/v1/auth/sign-in', WRONG);
  const { user, dialog, password } = await openDialog('/login');
  await user.type(password, 'wrong');
  await user.click(dialog.getByRole('button', { name: 'Login' }));
  expect(await toasts()).toEqual(['There was a problem signing in.']);
  await waitFor(() => expect(password).toHaveFocus());
  expect(password).toBeInvalid();
  await user.keyboard('right');
  expect(password).toHaveValue('right');
  expect(password).toBeValid();
});

test('an account that requires an emailed link says so', async () => {
  const sentence = 'There were too many wrong passwords. Please sign in with a link we send you by email.';
  answer('/v1/auth/sign-in', () => refusal(403, 'link_required', sentence));
  const { user, password } = await openDialog('/login');
  await user.type(password, 'right{Enter}');
  expect(await toasts()).toEqual([sentence]);
  expect(password).toBeValid();
});

test('without a password nothing is sent, and the field shows why', async () => {
  const sent = answer('/v1/auth/sign-in', WRONG);
  const { user, dialog, password } = await openDialog('/login');
  await user.click(dialog.getByRole('button', { name: 'Login' }));
  expect(password).toHaveAccessibleDescription('Please enter your password.');
  expect(sent).toEqual([]);
});

test("too many attempts show the server's message and the wait", async () => {
  const sent = answer('/v1/auth/sign-in', () =>
    refusal(429, 'too_many_requests', 'Please wait a moment.', { wait: 30 }),
  );
  const { user, dialog, password } = await openDialog('/login');
  await user.type(password, 'wrong{Enter}');
  expect(await dialog.findByRole('alert')).toHaveTextContent('Please wait a moment.');
  const button = dialog.getByRole('button', { name: /^Login/ });
  await waitFor(() => expect(button).toHaveTextContent(/Login\s\((30|[12]\d) s\)/));
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await user.click(button);
  fireEvent.submit(password);
  expect(sent).toHaveLength(1);
});

test.each(['/login', '/sign-up'] as const)('a double click on %s sends once', async (path) => {
  const sent = answer(path === '/login' ? '/v1/auth/sign-in' : '/v1/auth/sign-up', WRONG);
  const { user, dialog, password } = await openDialog(path);
  await user.type(password, 'correct horse');
  if (path === '/sign-up') await user.type(dialog.getByLabelText('Confirm password'), 'correct horse');
  fireEvent.submit(password);
  fireEvent.submit(password);
  await toasts();
  expect(sent).toHaveLength(1);
});

test('the password can be shown, by keyboard too', async () => {
  const { user, dialog, password } = await openDialog('/login');
  expect(password).toHaveAttribute('type', 'password');
  await user.tab();
  expect(dialog.getByRole('button', { name: 'Show password' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(password).toHaveAttribute('type', 'text');
  expect(dialog.getByRole('button', { name: 'Hide password' })).toBeVisible();
});

test('Forgot password passes the email on, but not in the URL', async () => {
  const { user, dialog, path } = await openDialog('/login');
  await user.click(dialog.getByRole('link', { name: 'Forgot password?' }));
  expect(await screen.findByRole('button', { name: 'Send reset link' })).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
  expect(path()).toBe('/forgot-password');
});

test('closing the dialog focuses the email', async () => {
  const { user } = await openDialog('/login');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText('Email')).toHaveFocus();
});

test('a new account leads to onboarding and keeps the remembered address', async () => {
  const sent = answer('/v1/auth/sign-up', () => Response.json(sessionOf('ada', { isNew: true }), { status: 201 }));
  const { user, dialog, password, path } = await openDialog('/sign-up');
  localStorage.setItem('redirectUrl', '/settings');
  expect(password).toHaveFocus();
  await user.type(password, 'correct horse');
  await user.type(dialog.getByLabelText('Confirm password'), 'correct horse');
  await user.click(dialog.getByRole('button', { name: 'Sign up' }));
  expect(await screen.findByLabelText('First name')).toBeVisible();
  expect(sent).toEqual([{ email: 'ada@example.com', password: 'correct horse' }]);
  expect([path(), localStorage.getItem('redirectUrl')]).toEqual(['/on-boarding/details/user', '/settings']);
});

test.each([
  ['', ''],
  ['correct horse', ''],
  ['', 'correct horse'],
  ['correct horse', 'correct house'],
  ['correct horse', 'correct horse '],
])('passwords %j and %j are refused at the field', async (first, second) => {
  const sent = answer('/v1/auth/sign-up', WRONG);
  const { user, dialog, password } = await openDialog('/sign-up');
  const again = dialog.getByLabelText('Confirm password');
  if (first !== '') await user.type(password, first);
  if (second !== '') await user.type(again, second);
  await user.click(dialog.getByRole('button', { name: 'Sign up' }));
  expect(again).toHaveAccessibleDescription('Password do not match.');
  expect(again).toBeInvalid();
  expect(sent).toEqual([]);
  await user.type(again, 'x');
  expect(again).not.toBeInvalid();
});

test('the length rule shows before typing', async () => {
  const { password } = await openDialog('/sign-up');
  expect(password).toHaveAccessibleDescription('8 to 128 characters. Unrelated words work well.');
});

test('a weak password is refused by the server, with a toast and at the field until it changes', async () => {
  const words = 'This password is easy to guess.';
  answer('/v1/auth/sign-up', () => refusal(400, 'weak_password', words, { fields: { password: words } }));
  const { user, dialog, password } = await openDialog('/sign-up');
  await user.type(password, 'password1');
  await user.type(dialog.getByLabelText('Confirm password'), 'password1');
  await user.click(dialog.getByRole('button', { name: 'Sign up' }));
  expect(await toasts()).toContain(words);
  await waitFor(() => expect(password).toBeInvalid());
  expect(password).toHaveAccessibleDescription(expect.stringContaining(words));
  expect(password).toHaveFocus();
  await user.type(password, '!');
  expect(password).not.toBeInvalid();
});

test('an email in use is refused by the server, once', async () => {
  const words = 'This email address is already in use.';
  answer('/v1/auth/sign-up', () => refusal(409, 'email_in_use', words));
  const { user, dialog, password } = await openDialog('/sign-up');
  await user.type(password, 'correct horse');
  await user.type(dialog.getByLabelText('Confirm password'), 'correct horse{Enter}');
  expect(await toasts()).toEqual([words]);
});

test('if no email can be sent, the password option is offered', async () => {
  server.use(http.post('*/v1/auth/magic-links', () => problem(503, 'No mail')));
  const { user } = renderAt('/login', { anonymous: true });
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Sign in manually' }));
  expect(await screen.findByLabelText('Password')).toHaveFocus();
});
