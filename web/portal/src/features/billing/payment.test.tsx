/** The card and the invoices under Billing. */
import { act, screen, within } from '@testing-library/react';
import type { InvoiceOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { account, managing, purchase } from '~/shared/testing/billing.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, problem, server } from '~/shared/testing/server.ts';

const called = (uid: string) => account({ uid, friendlyName: `Account ${uid}` });

test('Billing shows the card that pays, and the invoices, of which an open one can be paid', async () => {
  const invoice = (month: number, fields: Partial<InvoiceOut>): InvoiceOut => ({
    number: `VT-000${month}`,
    timeCreated: `2026-0${month}-24T10:00:00Z`,
    amount: 4900,
    currency: 'usd',
    status: 'paid',
    url: `https://pay.example/invoice/${month}`,
    pdfUrl: null,
    ...fields,
  });
  server.use(
    ...managing(() => called('first')),
    http.get('*/v1/accounts/first/invoices', () =>
      HttpResponse.json({
        data: [
          invoice(9, {}),
          invoice(8, { status: 'open', pdfUrl: 'https://pay.example/8.pdf' }),
          invoice(7, { url: 'javascript:alert(1)' }),
          ...[6, 5, 4].map((month) => invoice(month, {})),
        ],
        card: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 },
      }),
    ),
  );
  const { user } = renderAt('/billing');
  expect(await screen.findByText('Visa ending in 4242, expires 04/2030')).toBeVisible();
  const rows = () => within(screen.getByRole('list', { name: 'Invoices' })).getAllByRole('listitem');
  expect(rows().map((row) => row.textContent)).toEqual(['24 Aug 2026VT-0008OpenUS$49PayPDF']);
  expect(screen.getByRole('link', { name: 'Pay the invoice of 24 Aug 2026' })).toHaveAttribute(
    'href',
    'https://pay.example/invoice/8',
  );
  await user.click(screen.getByRole('button', { name: 'Show all 6' }));
  expect(rows()).toHaveLength(6);
  expect(rows()[0]).toHaveTextContent('24 Sept 2026VT-0009PaidUS$49View');
  expect(within(rows()[2] as HTMLElement).queryByRole('link')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show less' }));
  expect(rows()).toHaveLength(1);
});

test('Billing does not wait for the payment provider, and has the same parts when it has answered with nothing', async () => {
  let answer = () => {};
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  server.use(
    http.get('*/v1/accounts', () => list([called('first'), called('second')])),
    ...managing(() => called('first')),
    http.get('*/v1/accounts/first/invoices', async () => {
      await answered;
      return HttpResponse.json({ data: [], card: null });
    }),
  );
  renderAt('/billing');
  expect(await screen.findByText('Account second')).toBeVisible();
  expect(screen.getAllByRole('heading', { name: 'Invoices' })[0]).toBeVisible();
  await expect.poll(() => screen.getAllByText('No invoices yet.')).toHaveLength(1);
  answer();
  await expect.poll(() => screen.getAllByText('No invoices yet.')).toHaveLength(2);
  expect(screen.getAllByText('No card is stored.')[0]).toBeVisible();
});

test('Billing says why card and invoices are missing, and asks again on request', async () => {
  let fails = true;
  server.use(
    ...managing(() => called('first')),
    http.get('*/v1/accounts/first/invoices', () =>
      fails
        ? HttpResponse.json({ status: 409, code: 'provider', message: 'The provider is away.' }, { status: 409 })
        : HttpResponse.json({ data: [], card: null }),
    ),
  );
  const { user } = renderAt('/billing');
  expect(await screen.findByText('The provider is away.')).toBeVisible();
  fails = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No invoices yet.')).toBeVisible();
});

test('Billing stays if nothing can be loaded again', async () => {
  const manager = { uid: 'barbara', displayName: 'Barbara Liskov', email: 'barbara@example.com' };
  server.use(
    ...managing(account, () => [purchase({ orgId: ORG, active: true, state: 'active' })]),
    http.get('*/v1/accounts/account/invoices', () =>
      HttpResponse.json({ data: [], card: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2030 } }),
    ),
    http.get('*/v1/accounts/account/managers', () => list([manager])),
  );
  const { user, client } = renderAt('/billing');
  const shown = [
    await screen.findByText('Visa ending in 4242, expires 04/2030'),
    (await screen.findAllByText('Essentials Monthly'))[0],
  ];
  await user.click(screen.getByRole('button', { name: 'Managers' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Managers' }));
  shown.push(await dialog.findByText('Barbara Liskov'));
  server.use(http.get('*', () => problem(400, 'Not now')));
  await act(() => client.refetchQueries());
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  for (const part of shown) expect(part).toBeInTheDocument();
});
