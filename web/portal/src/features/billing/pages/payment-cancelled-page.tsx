/** /billing/cancelled: the payment failed or was cancelled. */
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { storedPlan } from '../model.ts';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

export function PaymentCancelledPage() {
  const { plan } = usePlan(storedPlan());
  const title = plan == null ? billingTexts.purchaseEnds.failed.title : billingTexts.paymentFailed(plan.title);
  return (
    <TaskPage title={title} lead={billingTexts.paymentError}>
      <Group>
        <Button component={Link} to="/select-billing-account">
          {billingTexts.retryPayment}
        </Button>
      </Group>
    </TaskPage>
  );
}
