/** What became of a purchase: on the page after the payment, and under Billing. */
import { screen, waitFor, within } from '@testing-library/react';
import type { ProvisionOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { account, managing, purchase } from '~/shared/testing/billing.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, organisation, problem, server } from '~/shared/testing/server.ts';

const called = (uid: string) => account({ uid, friendlyName: `Account ${uid}` });

/** The account made this purchase, and another one that is active. */
const of = (accountId: string, answer: () => ProvisionOut) =>
  http.get('*/v1/accounts/:id/provisions', ({ params: { id }, request }) => {
    // So that the server asks the payment provider.
    if (new URL(request.url).searchParams.get('awaited') !== 'purchase') return problem(400, 'Nothing is awaited');
    const other = purchase({ uid: 'other', orgId: ORG, active: true, state: 'active' });
    return list(id === accountId ? [other, answer()] : []);
  });
const page = '/billing/success?provision_id=purchase';

test('after the payment the page waits for the plan, reloads the memberships and opens the settings', async () => {
  let polls = 0;
  server.use(
    belongsTo(),
    of('account', () => {
      polls += 1;
      // It may be paid before its organisation exists.
      if (polls < 3) return purchase(polls === 1 ? {} : { state: 'active' });
      server.use(belongsTo(membership('superAdmin')));
      return purchase({ orgId: ORG, active: true, state: 'active' });
    }),
  );
  localStorage.setItem('accountId', 'account');
  localStorage.setItem('planId', 'essentials-monthly');
  const { path } = renderAt(page);
  expect(await screen.findByRole('heading', { name: 'Essentials Monthly' })).toBeVisible();
  expect(screen.getByText('You will be redirected automatically')).toBeVisible();
  await waitFor(() => expect(path()).toBe(`/org/${ORG}/profile`));
  expect(polls).toBe(3);
  await waitFor(() => expect(localStorage.getItem('planId')).toBeNull());
});

test('a purchase of another account than the stored one is found', async () => {
  server.use(
    belongsTo(membership('superAdmin')),
    http.get('*/v1/accounts', () => list([called('first'), called('second')])),
    of('second', () => purchase({ orgId: ORG, active: true, state: 'active' })),
  );
  localStorage.setItem('accountId', 'first');
  const { path } = renderAt(page);
  await waitFor(() => expect(path()).toBe(`/org/${ORG}/profile`));
});

test.each([
  [{ state: 'failed', refused: true }, 'Payment returned', 'Go to billing'],
  [{ state: 'failed' }, 'Payment failed', 'Retry Payment'],
  [{ state: 'expired', reason: 'sessionExpired' }, 'The payment page expired', 'Retry Payment'],
  [{ state: 'expired', reason: 'replaced' }, 'Another purchase took its place', 'Go to billing'],
  [{ state: 'ended', orgId: ORG }, 'This plan has ended', 'View Plans'],
  [{ state: 'suspended', orgId: ORG }, 'This plan is suspended', 'Go to billing'],
  [{ state: 'suspended', orgId: ORG, subscriptionEnded: true }, 'This plan has ended', 'View Plans'],
] as const)('the page ends with words for %o', async (fields, title, action) => {
  let polls = 0;
  server.use(
    of('account', () => {
      polls += 1;
      return purchase(fields);
    }),
  );
  localStorage.setItem('accountId', 'account');
  localStorage.setItem('planId', 'professional-annual');
  const { user, path } = renderAt(page);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
  const next = screen.getByRole('link', { name: action });
  if (action === 'Retry Payment') {
    await user.click(next);
    expect(path()).toBe('/billing/account');
    expect(localStorage.getItem('planId')).toBe('essentials-monthly');
  }
  await new Promise((done) => setTimeout(done, 300));
  expect(polls).toBe(1);
});

test.each([page, '/billing/success'])('an unknown purchase is not waited for: %s', async (address) => {
  server.use(
    http.get('*/v1/accounts', () => list([called('first')])),
    of('another', () => purchase({})),
  );
  renderAt(address);
  expect(await screen.findByRole('heading', { name: 'Purchase not found' })).toBeVisible();
});

test('an address without the id of a purchase is not waited for', async () => {
  server.use(
    http.get('*/v1/accounts', () => list([called('first')])),
    http.get('*/v1/accounts/first/provisions', () => problem(400, 'No id')),
  );
  renderAt('/billing/success?provision_id=abc');
  expect(await screen.findByRole('heading', { name: 'Purchase not found' })).toBeVisible();
});

test('a person without a billing account does not wait either', async () => {
  server.use(http.get('*/v1/accounts', () => problem(404, 'No billing account found')));
  renderAt(page);
  expect(await screen.findByRole('heading', { name: 'Purchase not found' })).toBeVisible();
});

test('Billing shows the plans of each account, and what happens to them next', async () => {
  const time = { timeRenews: '2026-12-24T10:00:00Z', orgId: ORG };
  server.use(
    belongsTo(membership('superAdmin')),
    http.get('*/v1/organizations', () => list([organisation])),
    http.get('*/v1/accounts', () => list([called('first')])),
    http.get('*/v1/accounts/first/provisions', () =>
      list([
        // It costs what it cost when it was bought.
        purchase({
          uid: '1',
          ...time,
          state: 'active',
          active: true,
          price: { amount: 3900, currency: 'usd', interval: 'month' },
          pendingPlanId: 'professional-annual',
          timeChanges: '2026-12-24T10:00:00Z',
        }),
        purchase({ uid: '2', ...time, state: 'pastDue', timeSuspends: '2027-01-07T10:00:00Z' }),
        purchase({ uid: '3', ...time, state: 'active', timeEnds: '2026-12-24T10:00:00Z' }),
        purchase({ uid: '4' }),
      ]),
    ),
  );
  const GIB = 1024 ** 3;
  server.use(
    http.get('*/v1/accounts/first/usage', () =>
      list([
        {
          orgId: ORG,
          storage: { used: 240 * GIB, allowed: 250 * GIB },
          staff: { used: 2, allowed: 5 },
          appUsers: { used: 1200, allowed: null },
        },
      ]),
    ),
  );
  renderAt('/billing');
  const rows = within(await screen.findByRole('list', { name: 'Plans' })).getAllByRole('listitem');
  expect(rows).toHaveLength(3);
  await waitFor(() =>
    expect(rows[0]).toHaveTextContent(
      /Essentials MonthlyActiveUS\$39 per month.*Renews on 24 Dec 2026Changes to Professional Annual on 24 Dec 2026/,
    ),
  );
  expect(rows[1]).toHaveTextContent('Will be suspended on 7 Jan 2027 unless the open invoice is paid');
  expect(rows[2]).toHaveTextContent('Ends on 24 Dec 2026');
  await waitFor(() =>
    expect(rows[0]).toHaveTextContent(/Storage240 GB of 250 GBWhen storage is full, new files are rejected/),
  );
  expect(rows[0]).toHaveTextContent(/Staff2 of 5When all seats are taken, .*App users1,200, unlimited$/);
  const meters = within(rows[0] as HTMLElement).getAllByRole('progressbar');
  expect(meters.map((meter) => meter.getAttribute('aria-valuenow'))).toEqual(['96', '40']);
});

test('Billing shows how often a plan is paid, and that a dispute ended it', async () => {
  const price = { amount: 11_700, currency: 'usd', interval: 'month' } as const;
  const ended = { orgId: ORG, state: 'ended', subscriptionEnded: true, reason: 'canceled' } as const;
  server.use(
    ...managing(account, () => [
      purchase({ uid: '1', orgId: ORG, state: 'active', active: true, price, quantity: 3 }),
      purchase({ ...ended, uid: '2', quantity: 1, endReason: 'payment_disputed' }),
      purchase({ ...ended, uid: '3', quantity: 1, endReason: 'cancellation_requested' }),
    ]),
  );
  renderAt('/billing');
  const list = within(await screen.findByRole('list', { name: 'Plans' }));
  expect(await list.findByText('Essentials Monthly × 3')).toBeVisible();
  const [several, disputed, canceled] = list.getAllByRole('listitem');
  expect(several).toHaveTextContent(/Essentials Monthly × 3ActiveUS\$117 per month/);
  expect(disputed).toHaveTextContent(/^Essentials MonthlyEnded.*A payment was disputed, so the payment provider ended/);
  expect(canceled).toHaveTextContent('The subscription was canceled at the payment provider.');
});

test('a plan that ended or was given up is bought again, unless a newer one has its organization', async () => {
  const other = '019a0000-0000-7000-8000-000000000002';
  server.use(
    ...managing(account, () => [
      purchase({ uid: '3', orgId: ORG, state: 'active', active: true }),
      purchase({
        uid: '2',
        orgId: other,
        state: 'suspended',
        subscriptionEnded: true,
        timeEnds: '2027-02-06T10:00:00Z',
        reason: 'givenUp',
        timeUnpaid: '2026-12-24T10:00:00Z',
      }),
      purchase({
        uid: '1',
        orgId: ORG,
        state: 'ended',
        subscriptionEnded: true,
        timeEnds: '2026-10-06T10:00:00Z',
        reason: 'canceled',
      }),
    ]),
  );
  renderAt('/billing');
  const rows = within(await screen.findByRole('list', { name: 'Plans' })).getAllByRole('listitem');
  expect(rows[1]).toHaveTextContent('Will be closed on 6 Feb 2027 unless you buy a plan again');
  expect(rows[1]).toHaveTextContent('The payment of 24 Dec 2026 failed, and the payment provider does not try again.');
  expect(rows[2]).toHaveTextContent(/Ended on 6 Oct 2026The subscription was canceled at the payment provider\.$/);
  const links = rows.map((row) => within(row).queryByRole('link', { name: 'View Plans' }) !== null);
  expect(links).toEqual([false, true, false]);
});

test('a blocked tab leaves a link', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  server.use(
    ...managing(() => called('first')),
    http.post('*/v1/accounts/first/manage', () => HttpResponse.json({ url: 'https://pay.example/portal' })),
  );
  const { user } = renderAt('/billing');
  await user.click(await screen.findByRole('button', { name: /Account first/ }));
  expect(await screen.findByRole('link', { name: 'Open the billing page' })).toHaveAttribute(
    'href',
    'https://pay.example/portal',
  );
  vi.restoreAllMocks();
});
