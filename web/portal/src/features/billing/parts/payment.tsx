/** The card that pays for an account, and its invoices. */
import { Anchor, Badge, Button, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CardOut, type InvoiceOut, messageOf } from '@vitrine/api';
import { type ReactNode, useState } from 'react';
import { dateOf } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { invoicesQuery } from '../api/account-queries.ts';
import { priceOf } from '../money.ts';
import { billingTexts } from '../texts.ts';
import classes from './payment.module.css';

const colors: Readonly<Record<string, string>> = { paid: 'green', open: 'orange', uncollectible: 'red' };
const statuses: Readonly<Record<string, string>> = billingTexts.invoiceStatuses;

/**
 * The payment provider is asked for both, which can take long. The part is as high while it waits as afterwards, whatever
 * the answer, so that what is below can be shown at once.
 */
export function Payment({ accountId }: { accountId: string }) {
  const payment = useQuery(invoicesQuery(accountId));
  if (payment.isLoadingError) {
    return (
      <div role="alert">
        <Parts card={messageOf(payment.error)}>
          <div className={classes.failed}>
            <Text fz="sm">{billingTexts.paymentFailedToLoad}</Text>
            <Button variant="default" size="xs" onClick={() => void payment.refetch()}>
              {commonTexts.tryAgain}
            </Button>
          </div>
        </Parts>
      </div>
    );
  }
  if (payment.data === undefined) {
    return (
      <div aria-busy="true">
        <Parts card={<Skeleton component="span" display="block" height={14} width={220} my={4} />}>
          <Skeleton height={40} />
        </Parts>
      </div>
    );
  }
  const { card, data } = payment.data;
  return <Paid card={card == null ? billingTexts.noCard : cardLine(card)} invoices={data} />;
}

interface PartsProps {
  card: ReactNode;
  /** Beside the title of the invoices. */
  more?: ReactNode;
  children: ReactNode;
}

function Parts({ card, more, children }: PartsProps) {
  return (
    <>
      <div className={classes.part}>
        <Title order={3} fz={14}>
          {billingTexts.card}
        </Title>
        <Text fz="sm" component="div">
          {card}
        </Text>
      </div>
      <div className={classes.part}>
        <div className={classes.title}>
          <Title order={3} fz={14}>
            {billingTexts.invoices}
          </Title>
          {more}
        </div>
        <div className={classes.latest}>{children}</div>
      </div>
    </>
  );
}

/** Shows one invoice at first: the one to be paid, or the newest. */
function Paid({ card, invoices }: { card: string; invoices: readonly InvoiceOut[] }) {
  const [all, setAll] = useState(false);
  const first = invoices.find(({ status }) => status === 'open') ?? invoices[0];
  if (first === undefined) {
    return (
      <Parts card={card}>
        <Text c="dimmed" fz="sm">
          {billingTexts.noInvoices}
        </Text>
      </Parts>
    );
  }
  const more = invoices.length > 1 && (
    <Button variant="subtle" size="xs" mr={-14} aria-expanded={all} onClick={() => setAll(!all)}>
      {all ? billingTexts.oneInvoice : billingTexts.allInvoices(invoices.length)}
    </Button>
  );
  return (
    <Parts card={card} more={more}>
      <ul className={classes.invoices} aria-label={billingTexts.invoices}>
        {(all ? invoices : [first]).map((invoice, place) => (
          <Invoice key={invoice.number ?? place} invoice={invoice} />
        ))}
      </ul>
    </Parts>
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
