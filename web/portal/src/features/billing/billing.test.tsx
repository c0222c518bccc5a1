/** Buying a plan, step by step. */
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, problem, server } from '~/shared/testing/server.ts';

const account = {
  uid: 'account',
  billingAddress: null,
  billingEmail: 'pay@example.com',
  billingName: 'Northwind Ltd',
  billingPhone: '+44',
  friendlyName: 'Northwind',
  type: 'business',
  managingUsers: ['person'],
  timeCreated: '',
};

test('a person without an account is sent to the account types, and the plan is kept', async () => {
  server.use(http.get('*/v1/accounts', () => problem(404, 'No billing account found')));
  const { path } = renderAt('/select-billing-account?planId=essentials-monthly');
  expect(await screen.findByRole('heading', { name: 'Choose an account type' })).toBeVisible();
  expect(path()).toBe('/account-type');
  expect(localStorage.getItem('planId')).toBe('essentials-monthly');
});

test("a plan of the operator's own is bought under its title, and an unknown one counts as none", async () => {
  server.use(
    http.get('*/v1/accounts', () => list([account])),
    http.get('*/v1/plans', () => list([{ id: 'gold', title: 'Gold', interval: 'month', price: null, limits: {} }])),
  );
  localStorage.setItem('planId', 'essentials-monthly');
  const { user, unmount } = renderAt('/select-billing-account?planId=gold');
  expect(await screen.findByText('For Gold')).toBeVisible();
  expect(localStorage.getItem('planId')).toBe('gold');
  unmount();
  renderAt('/select-billing-account?planId=silver');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Please select a plan to proceed!')).toBeVisible();
});

test('Continue without a plan shows the sentence of this page', async () => {
  server.use(http.get('*/v1/accounts', () => list([account])));
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
      return Response.json(account, { status: 201 });
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
