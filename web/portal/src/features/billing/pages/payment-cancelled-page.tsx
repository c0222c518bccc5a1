/** /billing/cancelled: the payment failed or was cancelled. */
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { planTitle, storedPlan } from '../model.ts';
import { billingTexts } from '../texts.ts';

export function PaymentCancelledPage() {
  return (
    <TaskPage title={billingTexts.paymentFailed(planTitle(storedPlan())).trim()} lead={billingTexts.paymentError}>
      <Group>
        <Button component={Link} to="/select-billing-account">
          {billingTexts.retryPayment}
        </Button>
      </Group>
    </TaskPage>
  );
}
