/** /billing/{accountId}: starts checkout and redirects to the payment provider. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { codeOf, messageOf } from '@vitrine/api';
import { useEffect, useRef } from 'react';
import { VerifyAddress } from '~/features/session/parts/verify-address.tsx';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { useCheckout } from '../api/billing-mutations.ts';
import { storedPlan } from '../model.ts';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

/** Starts checkout on mount; the server reuses an open session instead of creating a second one. */
export function CheckoutPage() {
  const { accountId } = useParams({ from: '/private/billing/$accountId' });
  const config = useQuery(configQuery);
  const checkout = useCheckout(accountId);
  const plan = usePlan(storedPlan());
  const begun = useRef(false);

  const start = () => {
    if (plan === undefined) return;
    if (plan === null) return toastFailure(billingTexts.selectThePlan);
    storage.set('accountId', accountId);
    checkout.mutate(plan.id, {
      onSuccess: ({ url }) => {
        if (isWebAddress(url)) window.location.assign(url);
      },
    });
  };

  useEffect(() => {
    if (begun.current || plan === undefined) return;
    begun.current = true;
    start();
  });

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
  return (
    <TaskPage title={billingTexts.toPayment} lead={plan?.title}>
      {checkout.isError ? (
        <>
          {codeOf(checkout.error) === 'email_unproved' ? (
            <VerifyAddress error={checkout.error} />
          ) : (
            <Text role="alert">{messageOf(checkout.error)}</Text>
          )}
          <Group>
            <Button onClick={start}>{commonTexts.tryAgain}</Button>
          </Group>
        </>
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden />
          <Text c="dimmed">{billingTexts.openingCardPage}</Text>
        </Group>
      )}
    </TaskPage>
  );
}
