/** /billing/{accountId}: starts checkout and redirects to the payment provider. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { Suspense, useEffect, useRef, useState } from 'react';
import { configQuery } from '~/shared/api/config.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { storage } from '~/shared/lib/storage.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { endedOrgsQuery } from '../api/account-queries.ts';
import { useCheckout } from '../api/billing-mutations.ts';
import { accountsQuery } from '../api/billing-queries.ts';
import { storedPlan } from '../model.ts';
import { CheckoutFailed } from '../parts/checkout-failed.tsx';
import { OrganisationChoice } from '../parts/organisation-choice.tsx';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

const FreeOrganisation = lazyPart(() => import('../parts/free-organisation.tsx'), 'FreeOrganisation');

export function CheckoutPage() {
  const { accountId } = useParams({ from: '/private/billing/$accountId' });
  const config = useQuery(configQuery);
  if (config.isPending) return <Opening />;
  if (config.data?.billing !== 'none') return <Checkout accountId={accountId} />;
  return (
    <Suspense>
      <FreeOrganisation accountId={accountId} />
    </Suspense>
  );
}

/** Starts checkout on mount; the server reuses an open session instead of creating a second one. */
function Checkout({ accountId }: { accountId: string }) {
  const config = useQuery(configQuery);
  const checkout = useCheckout(accountId);
  const { plan, error, retry } = usePlan(storedPlan());
  const begun = useRef(false);

  const returning = useReturning(accountId, plan != null);
  const [organisation, setOrganisation] = useState<string | null>(null);

  const start = (chosen = organisation) => {
    if (plan === undefined) return;
    if (plan === null) return toastFailure(billingTexts.selectThePlan);
    storage.set('accountId', accountId);
    checkout.mutate(chosen === null ? { planId: plan.id } : { planId: plan.id, organisation: chosen }, {
      onSuccess: ({ url }) => {
        if (isWebAddress(url)) window.location.assign(url);
      },
    });
  };
  const choose = (chosen: string) => {
    setOrganisation(chosen);
    start(chosen);
  };

  useEffect(() => {
    // An agency with ended organisations is asked first.
    if (begun.current || plan === undefined || (plan !== null && returning.ended?.length !== 0)) return;
    begun.current = true;
    start();
  });

  const failed = error ?? returning.error;
  if (failed !== null) {
    return (
      <TaskPage title={billingTexts.toPayment}>
        <ErrorState message={messageOf(failed)} onRetry={error === null ? returning.retry : retry} />
      </TaskPage>
    );
  }
  if (plan === null) {
    return (
      <TaskPage title={billingTexts.noPlanChosen} lead={billingTexts.selectThePlan}>
        <Group>
          <Button component="a" href={config.data?.pricingUrl ?? '/pricing'}>
            {billingTexts.viewPlans}
          </Button>
        </Group>
      </TaskPage>
    );
  }
  if (plan !== undefined && returning.ended !== undefined && returning.ended.length > 0 && organisation === null) {
    return <OrganisationChoice plan={plan.title} ended={returning.ended} onChoose={choose} />;
  }
  if (!checkout.isError) return <Opening plan={plan?.title} />;
  return (
    <TaskPage title={billingTexts.toPayment} lead={plan?.title}>
      <CheckoutFailed accountId={accountId} error={checkout.error} onRetry={() => start()} />
    </TaskPage>
  );
}

/** The ended organisations to choose from: none except for an agency; undefined while loading, or if that failed. */
function useReturning(accountId: string, enabled: boolean) {
  const accounts = useQuery({ ...accountsQuery, enabled });
  const isAgency = accounts.data?.accounts.find(({ uid }) => uid === accountId)?.type === 'agency';
  const ended = useQuery({ ...endedOrgsQuery(accountId), enabled: isAgency });
  const asked = isAgency ? ended : accounts;
  return {
    ended: isAgency ? ended.data : accounts.data === undefined ? undefined : [],
    error: asked.data === undefined ? asked.error : null,
    retry: () => void asked.refetch(),
  };
}

function Opening({ plan }: { plan?: string | undefined }) {
  return (
    <TaskPage title={billingTexts.toPayment} lead={plan}>
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text c="dimmed">{billingTexts.openingCardPage}</Text>
      </Group>
    </TaskPage>
  );
}
