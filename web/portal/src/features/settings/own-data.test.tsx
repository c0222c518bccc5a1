/** What is stored about the person, erasing it, and emails to staff, on the settings screen. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { session } from '~/shared/api/session.ts';
import { refusal } from '~/shared/testing/identity.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, membership, ORG, problem, server } from '~/shared/testing/server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('what is stored is saved as a JSON file', async () => {
  const saved: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  server.use(http.get('*/v1/profiles/export', () => HttpResponse.json({ profile: {} })));
  const { user } = renderAt('/settings');
  await user.click(await screen.findByRole('button', { name: 'Download' }));
  await waitFor(() => expect(saved).toEqual(['vitrine-my-data.json']));
});

test('an account is erased once its email address is typed, and the person is signed out', async () => {
  const sent: unknown[] = [];
  server.use(
    http.delete('*/v1/profiles', async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user, path } = renderAt('/settings');
  await user.click(await screen.findByRole('button', { name: 'Erase account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase your account?' }));
  const erase = dialog.getByRole('button', { name: 'Erase account' });
  expect(erase).toBeDisabled();
  await user.type(dialog.getByRole('textbox'), 'ada@example.co');
  expect(erase).toBeDisabled();
  await user.type(dialog.getByRole('textbox'), 'm');
  await user.click(erase);
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await screen.findByText('Your account was erased.')).toBeVisible();
  expect([sent, path(), session.token()]).toEqual([[{ email: 'ada@example.com' }], '/login', null]);
});

test.each([
  ['last_super_admin', 'You are the last super admin of Northwind.', 'Open the organization', '/'],
  ['sole_manager', 'You are the only manager of Northwind Media.', 'Open Billing', '/billing'],
])('an account that holds something is not erased: %s', async (code, message, link, href) => {
  server.use(http.delete('*/v1/profiles', () => refusal(409, code, message)));
  const { user } = renderAt('/settings');
  await user.click(await screen.findByRole('button', { name: 'Erase account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase your account?' }));
  await user.type(dialog.getByRole('textbox'), 'Ada@Example.com');
  await user.click(dialog.getByRole('button', { name: 'Erase account' }));
  const alert = within(await dialog.findByRole('alert'));
  expect(alert.getByText(message)).toBeVisible();
  expect(alert.getByRole('link', { name: link })).toHaveAttribute('href', href);
  expect(screen.getAllByText(message)).toHaveLength(1);
});

test('emails are turned on for each organisation, and stay off if the server refuses', async () => {
  const sent: unknown[] = [];
  server.use(
    http.patch('*/v1/organizations/:id/users/me/emails', async ({ params, request }) => {
      sent.push([params.id, await request.json()]);
      return sent.length === 1 ? HttpResponse.json({ hotLeads: true, weeklySummary: false }) : problem(403, 'Not now');
    }),
  );
  const { user } = renderAt('/settings');
  const hot = await screen.findByRole('switch', { name: 'Hot leads: Northwind' });
  const weekly = screen.getByRole('switch', { name: 'Weekly summary: Northwind' });
  expect([hot, weekly].map((one) => (one as HTMLInputElement).checked)).toEqual([false, false]);
  await user.click(hot);
  await waitFor(() => expect(hot).toBeChecked());
  await user.click(weekly);
  expect(await screen.findByText('Not now')).toBeVisible();
  await waitFor(() => expect(weekly).not.toBeChecked());
  expect(hot).toBeChecked();
  expect(sent).toEqual([
    [ORG, { hotLeads: true, weeklySummary: false }],
    [ORG, { hotLeads: true, weeklySummary: true }],
  ]);
});

test('emails that fail to load can be retried', async () => {
  server.use(
    belongsTo(membership('teamUser')),
    http.get('*/v1/organizations/:id/users/me/emails', () => problem(403, 'Not now'), { once: true }),
  );
  const { user } = renderAt('/settings');
  expect(await screen.findByText('Not now')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('switch', { name: 'Hot leads: Northwind' })).not.toBeChecked();
});
