/** The plans that an account pays for, or paid for. */
import { Anchor, Badge, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf, type ProvisionOut, type UsageOut } from '@vitrine/api';
import { reasonText } from '~/features/audit/plan-reason.ts';
import { organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { dateOf } from '~/shared/lib/format.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { usageQuery } from '../api/account-queries.ts';
import { plansQuery, purchasesQuery } from '../api/billing-queries.ts';
import { priceOf } from '../money.ts';
import { leadsNowhere } from '../purchase.ts';
import { billingTexts } from '../texts.ts';
import { BuyAgain } from './buy-again.tsx';
import classes from './purchases.module.css';
import { Usage } from './usage.tsx';

const colors = {
  open: 'gray',
  active: 'green',
  pastDue: 'orange',
  suspended: 'red',
  ended: 'gray',
  failed: 'gray',
  expired: 'gray',
} as const;

export function Purchases({ accountId }: { accountId: string }) {
  const purchases = useQuery(purchasesQuery(accountId));
  const usages = useQuery(usageQuery(accountId));
  if (purchases.isLoadingError) {
    return <ErrorState message={messageOf(purchases.error)} onRetry={() => void purchases.refetch()} />;
  }
  if (purchases.data === undefined) return <PurchaseSkeleton />;
  if (purchases.data.length === 0) return null;
  return (
    <ul className={classes.rows} aria-label={billingTexts.purchases}>
      {purchases.data.map((purchase) => (
        <Purchase
          key={purchase.uid}
          purchase={purchase}
          usage={usages.data?.find(({ orgId }) => orgId === purchase.orgId)}
          canBuyAgain={leadsNowhere(purchase, purchases.data)}
        />
      ))}
      {usages.isError && (
        <li className={classes.row}>
          <ErrorState message={billingTexts.usageFailed} onRetry={() => void usages.refetch()} />
        </li>
      )}
    </ul>
  );
}

/** As high as one plan: most accounts have one. */
export function PurchaseSkeleton() {
  return (
    <div className={classes.row} aria-busy="true">
      <Skeleton height="auto" className={classes.waiting ?? ''} />
      <Skeleton height={14} width="40%" my={3} />
      <Usage usage={undefined} />
    </div>
  );
}

interface PurchaseProps {
  purchase: ProvisionOut;
  /** Undefined if it cannot be loaded. */
  usage: UsageOut | undefined;
  canBuyAgain: boolean;
}

function Purchase({ purchase, usage, canBuyAgain }: PurchaseProps) {
  const { orgId, planId, pendingPlanId, timeChanges, price, quantity, state } = purchase;
  const plans = useQuery(plansQuery);
  const organisations = useQuery(organisationsQuery);
  const plan = plans.data?.find(({ id }) => id === planId);
  const organisation = organisations.data?.find(({ uid }) => uid === orgId);
  const unnamed = price == null ? billingTexts.freePlan : billingTexts.unnamedPlan;
  const title = plan?.title ?? (planId == null ? unnamed : plans.isPending ? '' : planId);
  const why = state === 'active' ? null : whyOf(purchase);
  const pending = plans.data?.find(({ id }) => id === pendingPlanId)?.title ?? pendingPlanId;
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <Text component="span" fw={600}>
          {title !== '' && typeof quantity === 'number' && quantity > 1 ? billingTexts.several(title, quantity) : title}
        </Text>
        <Badge color={colors[state]}>{billingTexts.states[state]}</Badge>
        {price != null && (
          <Text component="span" fz={18} fw={600} className={`tabular ${classes.price ?? ''}`}>
            {priceOf(price)}{' '}
            {price.interval != null && (
              <Text component="span" c="dimmed" fz="sm" fw={400}>
                {price.interval === 'year' ? billingTexts.perYear : billingTexts.perMonth}
              </Text>
            )}
          </Text>
        )}
      </div>
      <div className={classes.line}>
        {organisation !== undefined && (
          <Anchor component={Link} to={`/org/${organisation.uid}/home`} fz="sm">
            {organisation.name}
          </Anchor>
        )}
        <Text component="span" c="dimmed" fz="sm">
          {nextStep(purchase)}
        </Text>
      </div>
      {why !== null && <Text fz="sm">{why}</Text>}
      {pending != null && timeChanges != null && state !== 'ended' && (
        <Text fz="sm">{billingTexts.changesTo(pending, dateOf(timeChanges))}</Text>
      )}
      {canBuyAgain && (
        <div>
          <BuyAgain />
        </div>
      )}
      {state !== 'ended' && usage !== undefined && <Usage usage={usage} />}
    </li>
  );
}

/** Says why the plan is in its state. */
function whyOf({ reason, timeUnpaid, endReason }: ProvisionOut): string | null {
  if (reason === 'canceled' && endReason === 'payment_disputed') return billingTexts.disputed;
  return reasonText(reason, timeUnpaid);
}

/** Says what happens to the plan next, and when. */
function nextStep({ state, timeRenews, timeSuspends, timeEnds, subscriptionEnded }: ProvisionOut): string {
  if (state === 'ended') return timeEnds == null ? '' : billingTexts.ended(dateOf(timeEnds));
  if (state === 'suspended' && timeEnds != null) {
    return (subscriptionEnded ? billingTexts.suspendedForGood : billingTexts.suspended)(dateOf(timeEnds));
  }
  if (timeSuspends != null) return billingTexts.suspends(dateOf(timeSuspends));
  if (timeEnds != null) return billingTexts.ends(dateOf(timeEnds));
  return timeRenews == null ? '' : billingTexts.renews(dateOf(timeRenews));
}
