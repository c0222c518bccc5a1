/** Buying a plan, step by step. */
import { screen, waitFor, within } from '@testing-library/react';
import type { AccountType } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { account, managing } from '~/shared/testing/billing.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import {
  belongsTo,
  config,
  list,
  membership,
  ORG,
  organisation,
  plan,
  problem,
  server,
} from '~/shared/testing/server.ts';

test('a person without an account is sent to the account types, and the plan is kept', async () => {
  server.use(http.get('*/v1/accounts', () => problem(404, 'No billing account found')));
  const { path } = renderAt('/select-billing-account?planId=essentials-monthly');
  expect(await screen.findByRole('heading', { name: 'Choose an account type' })).toBeVisible();
  expect(path()).toBe('/account-type');
  expect(localStorage.getItem('planId')).toBe('essentials-monthly');
});

test("a plan of the operator's own is bought under its title, and what is bought is beside the accounts", async () => {
  server.use(
    http.get('*/v1/accounts', () => list([account()])),
    http.get('*/v1/plans', () => list([plan('gold', 'Gold')])),
  );
  renderAt('/select-billing-account?planId=gold');
  const summary = within(await screen.findByRole('region', { name: 'Your plan' }));
  expect(await summary.findByRole('heading', { name: 'Gold' })).toBeVisible();
  expect(summary.getByText('US$49')).toBeVisible();
  expect(summary.getByText('250 GB of storage')).toBeVisible();
  expect(localStorage.getItem('planId')).toBe('gold');
});

test('an unknown plan counts as none, and the one chosen before is forgotten', async () => {
  server.use(http.get('*/v1/accounts', () => list([account()])));
  localStorage.setItem('planId', 'essentials-monthly');
  const { user, unmount } = renderAt('/select-billing-account?planId=silver');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Please select a plan to proceed!')).toBeVisible();
  expect(localStorage.getItem('planId')).toBeNull();
  unmount();
  // Without an account it is not bought either.
  server.use(http.get('*/v1/accounts', () => problem(404, 'No billing account found')));
  localStorage.setItem('planId', 'essentials-monthly');
  renderAt('/select-billing-account?planId=silver');
  await screen.findByRole('heading', { name: 'Choose an account type' });
  expect(localStorage.getItem('planId')).toBeNull();
});

test('plans that cannot be loaded do not remove the chosen one', async () => {
  server.use(
    http.get('*/v1/accounts', () => list([account()])),
    http.get('*/v1/plans', () => problem(400, 'Not now'), { once: true }),
  );
  const { user } = renderAt('/select-billing-account?planId=essentials-monthly');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Essentials Monthly' })).toBeVisible();
  expect(localStorage.getItem('planId')).toBe('essentials-monthly');
});

test('a full account is widened on the page of the checkout, which then starts', async () => {
  const sentence = 'This business account can have one organization. To add another, change it to an agency account.';
  let type: AccountType = 'business';
  server.use(
    http.get('*/v1/accounts', () => list([account({ type })])),
    http.get('*/v1/accounts/account/endedOrganizations', () => list([])),
    http.patch('*/v1/accounts/account', () => {
      type = 'agency';
      return Response.json(account({ type }));
    }),
    http.post('*/v1/accounts/account/checkout', () =>
      type === 'agency'
        ? Response.json({ sessionId: 's', url: 'not-an-address', provisionId: 'p' })
        : Response.json({ status: 409, code: 'account_full', message: sentence }, { status: 409 }),
    ),
  );
  localStorage.setItem('planId', 'essentials-monthly');
  const { user } = renderAt('/billing/account');
  const change = await screen.findByRole('button', { name: 'Change account type' });
  expect(screen.getAllByText(sentence)).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  await waitFor(() => expect(change).toBeEnabled());
  await user.click(change);
  const dialog = within(await screen.findByRole('dialog', { name: 'Billing details' }));
  await user.click(dialog.getByRole('combobox', { name: 'Account type' }));
  await user.click(screen.getByRole('option', { name: 'Agency' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Opening the payment page')).toBeVisible();
  expect(screen.queryByText(sentence)).toBeNull();
});

test('an agency chooses what the plan is for, and another account is not asked', async () => {
  const sent: unknown[] = [];
  let type: AccountType = 'agency';
  server.use(
    http.get('*/v1/accounts', () => list([account({ type })])),
    http.get('*/v1/accounts/account/endedOrganizations', () =>
      list([{ uid: ORG, name: 'Fjord Flow', timeEnded: '2026-09-01T10:00:00Z' }]),
    ),
    http.post('*/v1/accounts/account/checkout', async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? problem(502, 'Not now')
        : Response.json({ sessionId: 's', url: 'not-an-address', provisionId: 'p' });
    }),
  );
  localStorage.setItem('planId', 'essentials-monthly');
  const { user, unmount } = renderAt('/billing/account');
  const choice = within(await screen.findByRole('radiogroup', { name: 'Choose an organization' }));
  expect(choice.getByRole('radio', { name: /^New organization/ })).toBeChecked();
  await user.click(choice.getByRole('radio', { name: /^Fjord FlowIts plan ended on 1 Sept 2026/ }));
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  // Trying again keeps the choice.
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  for (const order of sent) expect(order).toMatchObject({ planId: 'essentials-monthly', organisation: ORG });
  unmount();
  type = 'business';
  renderAt('/billing/account');
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]).not.toHaveProperty('organisation');
});

test('a person without a plan sees the plans, and chooses one', async () => {
  server.use(
    belongsTo(),
    http.get('*/v1/accounts', () => list([account()])),
  );
  const { user, path } = renderAt('/no-plan');
  expect(await screen.findByRole('link', { name: 'Choose Essentials Monthly' })).toBeVisible();
  await user.click(screen.getByText('Annual'));
  await user.click(screen.getByRole('link', { name: 'Choose Professional Annual' }));
  expect(await screen.findByRole('region', { name: 'Your plan' })).toHaveTextContent(/Professional AnnualUS\$1,990/);
  expect(path()).toBe('/select-billing-account?planId=professional-annual');
});

test.each([
  ['professional-annual', 'Payment Failed for Professional Annual'],
  ['silver', 'Payment failed'],
  ['', 'Payment failed'],
])('the page after a failed payment names the plan, if it is known: %s', async (id, title) => {
  localStorage.setItem('planId', id);
  renderAt('/billing/cancelled');
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByText(/^There were some error in the payment/)).toBeVisible();
});

test('without payment an account that is full is widened, and then has the organization', async () => {
  let type: AccountType = 'business';
  const message = 'This business account can have one organization.';
  server.use(
    belongsTo(),
    http.get('*/v1/config', () => HttpResponse.json({ ...config, billing: 'none' })),
    ...managing(() => account({ type })),
    http.patch('*/v1/accounts/account', async ({ request }) => {
      type = ((await request.json()) as { account: { type: AccountType } }).account.type;
      return HttpResponse.json(account({ type }));
    }),
    http.post('*/v1/organizations', () => {
      if (type !== 'agency') return HttpResponse.json({ status: 409, code: 'account_full', message }, { status: 409 });
      server.use(belongsTo(membership('superAdmin')));
      return HttpResponse.json({ ...organisation, uid: ORG }, { status: 201 });
    }),
  );
  const { user, path } = renderAt('/billing/account');
  await user.type(await screen.findByLabelText('Name of the organization'), 'Northwind');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(message);
  expect(screen.queryByRole('button', { name: 'Create' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Change account type' }));
  await user.click(await screen.findByRole('combobox', { name: 'Account type' }));
  await user.click(await screen.findByRole('option', { name: 'Agency' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(path()).toBe(`/org/${ORG}/profile`));
});

test('without payment an organization is created for an account, and nothing is bought', async () => {
  const created: unknown[] = [];
  server.use(
    belongsTo(),
    http.get('*/v1/config', () => HttpResponse.json({ ...config, billing: 'none' })),
    http.get('*/v1/plans', () => list([])),
    ...managing(account),
    http.post('*/v1/organizations', async ({ request }) => {
      created.push(await request.json());
      server.use(belongsTo(membership('superAdmin')));
      return HttpResponse.json({ ...organisation, uid: ORG }, { status: 201 });
    }),
  );
  const { user, path, router } = renderAt('/no-plan');
  await user.click(await screen.findByRole('link', { name: 'Create an organization' }));
  expect(screen.queryByRole('link', { name: 'View Plans' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  expect(await screen.findByText('Name is required')).toBeVisible();
  await user.type(screen.getByLabelText('Name of the organization'), 'Northwind');
  await user.dblClick(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(path()).toBe(`/org/${ORG}/profile`));
  expect(created).toHaveLength(1);
  expect(created[0]).toMatchObject({ organisation: { name: 'Northwind', accountId: 'account' } });
  await router.navigate({ to: '/billing' });
  expect(await screen.findByText('Payment is turned off on this server.')).toBeVisible();
  await screen.findByRole('region', { name: 'Northwind' });
  expect(screen.queryByRole('button', { name: /Card and invoices/ })).toBeNull();
});

test('Continue without a plan shows the sentence of this page', async () => {
  server.use(http.get('*/v1/accounts', () => list([account()])));
  const { user } = renderAt('/select-billing-account');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Please select a plan to proceed!')).toBeVisible();
});

test('a checkout without a plan shows the other sentence', async () => {
  renderAt('/billing/account');
  expect((await screen.findAllByText('Please select the plan to proceed!')).length).toBeGreaterThan(0);
});

test('an unknown account type redirects to the choice', async () => {
  const { path } = renderAt('/create-billing-account?type=club');
  await screen.findByRole('heading', { name: 'Choose an account type' });
  expect(path()).toBe('/account-type');
});

test('creating an account sends it once with its type and opens the checkout', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post('*/v1/accounts', async ({ request }) => {
      sent.push([request.headers.get('Idempotency-Key')?.length, await request.json()]);
      return Response.json(account(), { status: 201 });
    }),
  );
  const { user, path } = renderAt('/create-billing-account?type=individual');
  await user.type(await screen.findByLabelText('Phone'), '+44 1');
  await user.type(screen.getByLabelText('Nick name'), 'Mine');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(path()).toBe('/billing/account'));
  expect(sent).toEqual([
    [
      36,
      {
        account: {
          billingName: 'Ada Byron',
          billingEmail: 'ada@example.com',
          billingPhone: '+44 1',
          friendlyName: 'Mine',
          billingAddress: null,
          type: 'individual',
        },
      },
    ],
  ]);
});

test('the shell page shows its empty state instead of redirecting', async () => {
  server.use(http.get('*/v1/accounts', () => problem(404, 'No billing account found')));
  renderAt('/billing');
  expect(await screen.findByText("You don't have any billing account!")).toBeVisible();
});

test('a person with an unconfirmed address sees how to confirm it, and can resend the email', async () => {
  const sentence = 'Please confirm your email address first.';
  let mails = 0;
  server.use(
    http.post('*/v1/accounts', () =>
      Response.json({ status: 403, code: 'email_unproved', message: sentence }, { status: 403 }),
    ),
    http.post('*/v1/auth/verifications', () => {
      mails += 1;
      return Response.json({}, { status: 202 });
    }),
  );
  const { user } = renderAt('/create-billing-account?type=individual');
  await user.type(await screen.findByLabelText('Phone'), '+44 1');
  await user.type(screen.getByLabelText('Nick name'), 'Mine');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await user.click(await screen.findByRole('button', { name: 'Resend confirmation email' }));
  await waitFor(() => expect(mails).toBe(1));
  expect(screen.getByLabelText('Nick name')).toHaveValue('Mine');
});
