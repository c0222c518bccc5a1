/** The banner of an organisation whose plan is not paid. */
import { screen, waitFor, within } from '@testing-library/react';
import type { MembershipOut, ProvisionOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { account, managing, purchase } from '~/shared/testing/billing.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, config, list, membership, ORG, problem, server } from '~/shared/testing/server.ts';

function inState(state: MembershipOut['organisation']['state']): MembershipOut {
  const member = membership('superAdmin');
  return { ...member, organisation: { ...member.organisation, state } };
}

/** The person manages two accounts, one of which made this purchase. */
const manages = (fields: Partial<ProvisionOut>) => [
  http.get('*/v1/accounts', () => list([account({ uid: 'other' }), account()])),
  ...managing(account, () => [purchase({ orgId: ORG, ...fields })]),
];

test('a manager sees until when to pay, pays in a new tab, and may hide it before the suspension', async () => {
  const tab = { location: { replace: vi.fn() }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValueOnce(tab as unknown as Window);
  server.use(
    belongsTo(inState('pastDue')),
    ...manages({ state: 'pastDue', timeSuspends: '2027-01-07T10:00:00Z' }),
    http.post('*/v1/accounts/account/manage', () => HttpResponse.json({ url: 'https://pay.example/portal' })),
  );
  const { user, unmount } = renderAt('/settings');
  const banner = within(await screen.findByRole('region', { name: 'Plan' }));
  expect(banner.getByText('The last payment for Northwind failed.')).toBeVisible();
  expect(await banner.findByText('It will be suspended on 7 Jan 2027 unless the open invoice is paid.')).toBeVisible();
  await user.click(banner.getByRole('button', { name: 'Pay now' }));
  await waitFor(() => expect(tab.location.replace).toHaveBeenCalledWith('https://pay.example/portal'));
  await user.click(banner.getByRole('button', { name: 'Hide' }));
  expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull();
  unmount();
  renderAt('/settings');
  await screen.findByRole('heading', { name: 'Settings' });
  expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull();
  vi.restoreAllMocks();
});

test('a suspension cannot be hidden, and its invoice can be paid', async () => {
  server.use(belongsTo(inState('suspended')), ...manages({ state: 'suspended', timeEnds: '2027-02-06T10:00:00Z' }));
  renderAt('/settings');
  const banner = within(await screen.findByRole('region', { name: 'Plan' }));
  expect(banner.getByText('Northwind is suspended because an invoice has not been paid.')).toBeVisible();
  expect(await banner.findByText(/It will be closed on 6 Feb 2027 unless the open invoice is paid\.$/)).toBeVisible();
  expect(banner.getByRole('button', { name: 'Pay now' })).toBeVisible();
  expect(banner.queryByRole('link', { name: 'View Plans' })).toBeNull();
  expect(banner.queryByRole('button', { name: 'Hide' })).toBeNull();
});

test('a plan whose subscription the provider has ended is bought again', async () => {
  const purchase = { state: 'suspended', subscriptionEnded: true, timeEnds: '2027-02-06T10:00:00Z' } as const;
  server.use(belongsTo(inState('suspended')), ...manages(purchase));
  renderAt('/settings');
  const banner = within(await screen.findByRole('region', { name: 'Plan' }));
  expect(await banner.findByText(/It will be closed on 6 Feb 2027 unless you buy a plan again\.$/)).toBeVisible();
  expect(banner.getByRole('link', { name: 'View Plans' })).toBeVisible();
  expect(banner.queryByRole('button', { name: 'Pay now' })).toBeNull();
});

test('staff who do not manage the account are sent to those who do', async () => {
  server.use(
    belongsTo(inState('suspended')),
    http.get('*/v1/accounts', () => problem(404, 'No billing account found')),
  );
  renderAt('/settings');
  const banner = within(await screen.findByRole('region', { name: 'Plan' }));
  expect(await banner.findByText(/Ask the managers of its billing account to pay for the plan\.$/)).toBeVisible();
  expect(banner.queryByRole('button')).toBeNull();
});

test('a manager of another account is sent to those who manage this one', async () => {
  server.use(
    belongsTo(inState('suspended')),
    ...managing(account, () => [purchase({ orgId: 'other', state: 'suspended' })]),
  );
  renderAt('/settings');
  const banner = within(await screen.findByRole('region', { name: 'Plan' }));
  expect(await banner.findByText(/Ask the managers of its billing account to pay for the plan\.$/)).toBeVisible();
  expect(banner.queryByRole('button')).toBeNull();
});

test('with payment turned off nothing can be paid, and nothing has to be', async () => {
  server.use(
    http.get('*/v1/config', () => HttpResponse.json({ ...config, billing: 'none' })),
    belongsTo(inState('suspended')),
    ...manages({ state: 'suspended', timeEnds: '2027-02-06T10:00:00Z' }),
  );
  renderAt('/settings');
  const banner = within(await screen.findByRole('region', { name: 'Plan' }));
  expect(await banner.findByText(/Payment is turned off on this server, so it becomes active again/)).toBeVisible();
  expect(banner.queryByRole('button')).toBeNull();
});

test('an organisation whose plan is paid has no banner', async () => {
  renderAt('/settings');
  await screen.findByRole('heading', { name: 'Settings' });
  expect(screen.queryByRole('region', { name: 'Plan' })).toBeNull();
});

test('a suspended plan that keeps an account from buying leads to its open invoice', async () => {
  const message = 'A plan of this account is suspended. Pay the open invoice first.';
  server.use(
    http.get('*/v1/accounts', () => list([account({})])),
    http.get('*/v1/accounts/account/endedOrganizations', () => list([])),
    http.post('*/v1/accounts/account/checkout', () =>
      Response.json({ status: 409, code: 'plan_suspended', message }, { status: 409 }),
    ),
  );
  localStorage.setItem('planId', 'essentials-monthly');
  renderAt('/billing/account');
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to billing' })).toHaveAttribute('href', '/billing');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
