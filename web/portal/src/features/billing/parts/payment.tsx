/** The card that pays for an account, and its invoices. */
import { Anchor, Badge, Button, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CardOut, type InvoiceOut, messageOf } from '@vitrine/api';
import { useState } from 'react';
import { dateOf } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { invoicesQuery } from '../api/account-queries.ts';
import { priceOf } from '../money.ts';
import { billingTexts } from '../texts.ts';
import classes from './payment.module.css';

/** Invoices shown at first. */
const FIRST = 5;
const colors: Readonly<Record<string, string>> = { paid: 'green', open: 'orange', uncollectible: 'red' };
const statuses: Readonly<Record<string, string>> = billingTexts.invoiceStatuses;

export function Payment({ accountId }: { accountId: string }) {
  const payment = useQuery(invoicesQuery(accountId));
  if (payment.isError) {
    return (
      <div className={classes.part} role="alert">
        <Text fz="sm">{billingTexts.paymentFailedToLoad}</Text>
        <Text c="dimmed" fz="sm">
          {messageOf(payment.error)}
        </Text>
        <div>
          <Button variant="default" size="xs" mt={4} onClick={() => void payment.refetch()}>
            {commonTexts.tryAgain}
          </Button>
        </div>
      </div>
    );
  }
  if (payment.data === undefined) return <PaymentSkeleton />;
  const { card, data } = payment.data;
  if (card == null && data.length === 0) return null;
  return (
    <>
      <div className={classes.part}>
        <Title order={3} fz={14}>
          {billingTexts.card}
        </Title>
        <Text fz="sm">{card == null ? billingTexts.noCard : cardLine(card)}</Text>
      </div>
      {data.length > 0 && <Invoices invoices={data} />}
    </>
  );
}

/** As high as a card and one invoice. */
function PaymentSkeleton() {
  return (
    <>
      <div className={classes.part} aria-busy="true">
        <Skeleton height={14} width={120} my={2} />
        <Skeleton height={14} width={220} my={3} />
      </div>
      <div className={classes.part}>
        <Skeleton height={14} width={80} my={2} />
        <Skeleton height={39} my={8} />
      </div>
    </>
  );
}

function Invoices({ invoices }: { invoices: readonly InvoiceOut[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? invoices : invoices.slice(0, FIRST);
  return (
    <div className={classes.part}>
      <Title order={3} fz={14}>
        {billingTexts.invoices}
      </Title>
      <ul className={classes.invoices} aria-label={billingTexts.invoices}>
        {shown.map((invoice, place) => (
          <Invoice key={invoice.number ?? place} invoice={invoice} />
        ))}
      </ul>
      {shown.length < invoices.length && (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {commonTexts.showMore}
        </Button>
      )}
    </div>
  );
}

function Invoice({ invoice: { timeCreated, number, amount, currency, status, url, pdfUrl } }: { invoice: InvoiceOut }) {
  const isOpen = status === 'open';
  const date = dateOf(timeCreated);
  const [page, pdf] = [webAddress(url), webAddress(pdfUrl)];
  return (
    <li className={classes.invoice}>
      <span className={classes.date}>
        <Text component="span" fz="sm" className="tabular">
          {date}
        </Text>
        {number != null && (
          <Text component="span" c="dimmed" fz="xs">
            {number}
          </Text>
        )}
      </span>
      <Badge color={colors[status] ?? 'gray'}>{statuses[status] ?? status}</Badge>
      <Text component="span" fz="sm" className={`tabular ${classes.amount ?? ''}`}>
        {priceOf({ amount, currency })}
      </Text>
      {(page !== null || pdf !== null) && (
        <span className={classes.links}>
          {page !== null && (
            <Anchor
              href={page}
              target="_blank"
              rel="noopener"
              fz="sm"
              fw={isOpen ? 600 : 400}
              aria-label={isOpen ? billingTexts.payInvoiceOf(date) : billingTexts.viewInvoiceOf(date)}
            >
              {isOpen ? billingTexts.pay : billingTexts.view}
            </Anchor>
          )}
          {pdf !== null && (
            <Anchor href={pdf} target="_blank" rel="noopener" fz="sm" aria-label={billingTexts.pdfOf(date)}>
              {billingTexts.pdf}
            </Anchor>
          )}
        </span>
      )}
    </li>
  );
}

function webAddress(address: string | null | undefined): string | null {
  return address != null && isWebAddress(address) ? address : null;
}

function cardLine({ brand, last4, expMonth, expYear }: CardOut): string {
  const name = brand.charAt(0).toUpperCase() + brand.slice(1);
  return billingTexts.cardEnding(name, last4, `${String(expMonth).padStart(2, '0')}/${expYear}`);
}
