/** Deleting an organisation under Billing, and restoring it there or on the page for people without one. */
import { screen, waitFor, within } from '@testing-library/react';
import type { DeletedOrganisationOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { account, managing, purchase } from '~/shared/testing/billing.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, organisation, problem, server } from '~/shared/testing/server.ts';

const deleted: DeletedOrganisationOut = {
  uid: ORG,
  name: 'Northwind',
  timeDeleted: '2026-11-20T08:00:00Z',
  timeRemoved: '2026-12-20T08:00:00Z',
};

/** A billing account with one organisation, which is deleted and restored. */
function owning(isDeleted: boolean, restoring: () => Response = () => new HttpResponse(null, { status: 204 })) {
  const state = { isDeleted, sent: [] as unknown[] };
  const org = () => (state.isDeleted ? null : ORG);
  server.use(
    ...managing(account, () => [purchase({ orgId: org(), state: 'active', active: true })]),
    http.get('*/v1/accounts/account/deletedOrganizations', () => list(state.isDeleted ? [deleted] : [])),
    http.get('*/v1/profiles/roles/detailed', () => list(state.isDeleted ? [] : [membership('superAdmin')])),
    http.get('*/v1/organizations', () => list(state.isDeleted ? [] : [organisation])),
    http.get(`*/v1/organizations/${ORG}/dashboard`, () => problem(500, 'Not here')),
    http.delete(`*/v1/organizations/${ORG}`, async ({ request }) => {
      state.sent.push(await request.json());
      state.isDeleted = true;
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(`*/v1/organizations/${ORG}/restore`, () => {
      const answer = restoring();
      state.isDeleted = !answer.ok;
      return answer;
    }),
  );
  return state;
}

const openDialog = async () => {
  const { user, path } = renderAt('/billing');
  await user.click(await screen.findByRole('button', { name: 'Delete organization' }));
  return { user, path, dialog: within(await screen.findByRole('dialog', { name: 'Delete organization' })) };
};

test('an organization is deleted by its name, and the only one leads to the page without a plan', async () => {
  const state = owning(false);
  const { user, path, dialog } = await openDialog();
  expect(dialog.getByText(/You can restore it until/)).toBeVisible();
  const name = dialog.getByLabelText('Type Northwind to confirm');
  const submit = dialog.getByRole('button', { name: 'Delete organization' });
  await user.type(name, 'northwind');
  await user.click(submit);
  expect(dialog.getByText('This is not the name of the organization.')).toBeVisible();
  expect(state.sent).toEqual([]);
  await user.clear(name);
  await user.type(name, ' Northwind');
  await user.click(dialog.getByLabelText('Also cancel the plan'));
  await user.click(submit);
  await waitFor(() => expect(path()).toBe('/no-plan'));
  expect(state.sent).toEqual([{ name: 'Northwind', cancelPlan: true }]);
  expect(await screen.findByRole('button', { name: 'Restore Northwind' })).toBeVisible();
});

test('why an organization was not deleted is said in the dialog, which loses nothing', async () => {
  owning(false);
  const message = 'Something went wrong. Try again later!';
  server.use(
    http.delete(`*/v1/organizations/${ORG}`, () => HttpResponse.json({ status: 500, message }, { status: 500 })),
  );
  const { user, dialog } = await openDialog();
  const name = dialog.getByLabelText('Type Northwind to confirm');
  await user.type(name, 'Northwind');
  await user.click(dialog.getByRole('button', { name: 'Delete organization' }));
  expect(await dialog.findByText(message)).toBeVisible();
  expect(name).toHaveValue('Northwind');
});

test('a deleted organization is restored from the page without a plan', async () => {
  owning(true);
  const { user, path } = renderAt('/no-plan');
  const section = within(await screen.findByRole('region', { name: 'Deleted organizations' }));
  expect(section.getByText(/^Deleted for good on .*2026$/)).toBeVisible();
  await user.click(section.getByRole('button', { name: 'Restore Northwind' }));
  await waitFor(() => expect(path()).not.toBe('/no-plan'));
});

test('an organization without a free plan says what to do', async () => {
  const words = { status: 409, code: 'no_free_provision', message: 'No plan' };
  owning(true, () => HttpResponse.json(words, { status: 409 }));
  server.use(
    belongsTo(membership('superAdmin', '019a0000-0000-7000-8000-000000000002', 'Second')),
    http.get('*/v1/organizations', () => list([])),
  );
  const { user } = renderAt('/billing');
  await user.click(await screen.findByRole('button', { name: 'Restore Northwind' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Northwind needs a plan, and all plans .* are in use/);
  expect(screen.getByRole('link', { name: 'View plans' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Restore Northwind' })).toBeEnabled();
});
