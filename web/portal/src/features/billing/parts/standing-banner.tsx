/** Says that an organisation's plan is past due or suspended, until when, and how to pay. */
import { Button, CloseButton, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { MembershipOut, ProvisionOut } from '@vitrine/api';
import { useState } from 'react';
import { configQuery } from '~/shared/api/config.ts';
import { dateOf } from '~/shared/lib/format.ts';
import { accountsQuery, purchasesQuery } from '../api/billing-queries.ts';
import { billingTexts } from '../texts.ts';
import { useManageTab } from '../use-manage-tab.ts';
import { BlockedTab } from './blocked-tab.tsx';
import { BuyAgain } from './buy-again.tsx';
import classes from './standing-banner.module.css';

/** The organisation for which this tab's person closed the banner. */
const DISMISSED = 'vitrine.pastDueDismissed';

interface StandingBannerProps {
  organisation: MembershipOut['organisation'];
}

/** A suspension cannot be dismissed. */
export function StandingBanner({ organisation: { uid, name, state } }: StandingBannerProps) {
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED));
  const payer = usePayer(uid);
  // Then an invoice cannot be paid, and need not be.
  const isFree = useQuery(configQuery).data?.billing === 'none';
  const isSuspended = state === 'suspended';
  if (!isSuspended && dismissed === uid) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, uid);
    setDismissed(uid);
  };
  return (
    <section className={classes.banner} data-suspended={isSuspended || undefined} aria-label={billingTexts.standing}>
      <IconAlertTriangle size={20} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <Text fw={600} fz="sm">
          {isSuspended ? billingTexts.isSuspended(name) : billingTexts.isPastDue(name)}
        </Text>
        <Text fz="sm">
          {isFree ? billingTexts.activeSoon : payer === undefined ? null : consequence(isSuspended, payer?.purchase)}
        </Text>
        {payer != null && !isFree && <WayToPay {...payer} />}
      </div>
      {!isSuspended && <CloseButton aria-label={billingTexts.dismiss} onClick={dismiss} />}
    </section>
  );
}

function WayToPay({ accountId, purchase }: Payer) {
  return purchase.subscriptionEnded ? <BuyAgain /> : <PayInvoice accountId={accountId} />;
}

function PayInvoice({ accountId }: { accountId: string }) {
  const { open, isPending, blocked } = useManageTab(accountId);
  return (
    <>
      <Button size="xs" mt={8} loading={isPending} onClick={open}>
        {billingTexts.payNow}
      </Button>
      <BlockedTab url={blocked} />
    </>
  );
}

interface Payer {
  accountId: string;
  purchase: ProvisionOut;
}

/** Returns what pays for the organisation: null if the person does not manage it, undefined while that is unknown. */
function usePayer(orgId: string): Payer | null | undefined {
  const accounts = useQuery(accountsQuery);
  const ids = accounts.data?.accounts.map(({ uid }) => uid) ?? [];
  const purchases = useQueries({ queries: ids.map((id) => purchasesQuery(id)) });
  for (const [place, { data }] of purchases.entries()) {
    const purchase = data?.find((one) => one.orgId === orgId && isOwing(one));
    const accountId = ids[place];
    if (purchase !== undefined && accountId !== undefined) return { accountId, purchase };
  }
  return accounts.isPending || purchases.some(({ isPending }) => isPending) ? undefined : null;
}

/** Says how the organisation comes back, and until when that is possible. */
function wayBack({ timeEnds, subscriptionEnded }: ProvisionOut): string {
  if (timeEnds == null) return subscriptionEnded ? billingTexts.buyAgain : billingTexts.payInvoice;
  const date = dateOf(timeEnds);
  return subscriptionEnded ? billingTexts.closesUnlessBought(date) : billingTexts.closesUnlessPaid(date);
}

function isOwing({ state }: ProvisionOut): boolean {
  return state === 'pastDue' || state === 'suspended';
}

function consequence(isSuspended: boolean, purchase: ProvisionOut | undefined): string {
  if (isSuspended) {
    if (purchase === undefined) return `${billingTexts.viewOnly} ${billingTexts.askManagers}`;
    return `${billingTexts.viewOnly} ${wayBack(purchase)}`;
  }
  if (purchase === undefined) return billingTexts.askManagers;
  return purchase.timeSuspends == null
    ? billingTexts.payInvoice
    : billingTexts.suspendsUnlessPaid(dateOf(purchase.timeSuspends));
}
