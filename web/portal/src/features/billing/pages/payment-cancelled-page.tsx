/** /billing/cancelled: the payment failed or was cancelled. */
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { shippedTitle, storedPlan } from '../model.ts';
import { billingTexts } from '../texts.ts';

export function PaymentCancelledPage() {
  // A plan of the operator's own is not named: its title would have to be loaded first.
  const plan = shippedTitle(storedPlan() ?? '') ?? '';
  return (
    <TaskPage title={billingTexts.paymentFailed(plan).trim()} lead={billingTexts.paymentError}>
      <Group>
        <Button component={Link} to="/select-billing-account">
          {billingTexts.retryPayment}
        </Button>
      </Group>
    </TaskPage>
  );
}
