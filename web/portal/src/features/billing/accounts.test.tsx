/** Billing accounts under Billing: details and managers. */
import { act, screen, waitFor, within } from '@testing-library/react';
import type { ManagerOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { account, managing } from '~/shared/testing/billing.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, problem, profile, server } from '~/shared/testing/server.ts';

const ada: ManagerOut = { uid: profile.uid, displayName: 'Ada', email: profile.email };
const bea: ManagerOut = { uid: 'bea', displayName: '', email: 'bea@example.com' };

test('only changed details are sent, a type is only widened, and what the provider refused is shown', async () => {
  let current = account();
  const sent: unknown[] = [];
  server.use(
    ...managing(() => current),
    http.patch('*/v1/accounts/account', async ({ request }) => {
      sent.push(await request.json());
      current = account({ type: 'agency', billingEmail: 'at home', refusal: 'Invalid email address: at home' });
      // The payment provider has not been asked yet.
      return HttpResponse.json({ ...current, refusal: null });
    }),
  );
  const { user } = renderAt('/billing');
  await user.click(await screen.findByRole('button', { name: 'Edit details' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Billing details' }));
  const email = dialog.getByLabelText('Payee email');
  await user.clear(email);
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('Billing email is required.')).toBeVisible();
  await user.type(email, 'at home');
  await user.click(dialog.getByRole('combobox', { name: 'Account type' }));
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Business', 'Agency']);
  await user.click(screen.getByRole('option', { name: 'Agency' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const refusal = 'The payment provider did not accept these details: Invalid email address: at home';
  expect(await screen.findByText(refusal)).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sent).toEqual([{ account: { billingEmail: 'at home', type: 'agency' } }]);
});

test('details that are being edited stay if the accounts cannot be loaded again', async () => {
  server.use(...managing(account));
  const { user, client } = renderAt('/billing');
  await user.click(await screen.findByRole('button', { name: 'Edit details' }));
  const email = within(await screen.findByRole('dialog', { name: 'Billing details' })).getByLabelText('Payee email');
  await user.clear(email);
  await user.type(email, 'desk@example.com');
  server.use(http.get('*/v1/accounts', () => problem(400, 'Not now')));
  await act(() => client.refetchQueries({ queryKey: ['accounts'], exact: true }));
  expect(email).toBeVisible();
  expect(email).toHaveValue('desk@example.com');
});

test('managers are added by email and removed after a question, but not the last one', async () => {
  let managers = [ada];
  server.use(
    ...managing(account),
    http.get('*/v1/accounts/account/managers', () => list(managers)),
    http.post('*/v1/accounts/account/managers', async ({ request }) => {
      const { email } = (await request.json()) as { email: string };
      if (email !== bea.email) return problem(404, 'No staff member has this email address.');
      managers = [ada, bea];
      return HttpResponse.json(bea, { status: 201 });
    }),
    http.delete('*/v1/accounts/account/managers/bea', () => {
      managers = [ada];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { user } = renderAt('/billing');
  await user.click(await screen.findByRole('button', { name: 'Managers' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Managers' }));
  expect(await dialog.findByRole('button', { name: `Remove ${profile.email}` })).toBeDisabled();
  const email = dialog.getByLabelText('Email of the new manager');
  for (const [text, message] of [
    ['bea', 'Invalid email!'],
    ['eve@example.com', 'No staff member has this email address.'],
  ] as const) {
    await user.clear(email);
    await user.type(email, `${text}{Enter}`);
    expect(await dialog.findByText(message)).toBeVisible();
  }
  await user.clear(email);
  await user.type(email, `${bea.email}{Enter}`);
  await user.click(await dialog.findByRole('button', { name: 'Remove bea@example.com' }));
  await screen.findByRole('dialog', { name: 'Confirmation' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirmation' })).toBeNull());
  await user.click(dialog.getByRole('button', { name: 'Remove bea@example.com' }));
  const question = within(await screen.findByRole('dialog', { name: 'Confirmation' }));
  expect(question.getByText(/^Remove bea@example\.com as a manager of Northwind\?/)).toBeVisible();
  await user.click(question.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(dialog.queryByText(bea.email)).toBeNull());
  await waitFor(() => expect(dialog.getByRole('list', { name: 'Managers' })).toHaveFocus());
});

test('the audit log of an account shows who changed what', async () => {
  server.use(
    ...managing(account),
    http.get('*/v1/accounts/account/audit', () =>
      list([
        {
          uid: '1',
          time: '2026-11-01T10:00:00.000Z',
          actor: { userId: profile.uid, displayName: 'Ada' },
          action: 'account.changed',
          target: { type: 'account', id: 'account', name: 'Northwind' },
          before: { type: 'business' },
          after: { type: 'agency' },
        },
      ]),
    ),
  );
  const { user, path } = renderAt('/billing');
  await user.click(await screen.findByRole('link', { name: 'Audit log' }));
  const day = within(await screen.findByRole('region', { name: /^Sunday,? 1 November 2026$/ }));
  expect(day.getByRole('listitem')).toHaveTextContent(
    /Billing account changedNorthwindAda · .*Type: business → agency/,
  );
  expect(path()).toBe('/billing/account/audit');
  await user.click(screen.getByRole('link', { name: 'Back to billing' }));
  expect(await screen.findByRole('region', { name: 'Northwind' })).toBeVisible();
});
