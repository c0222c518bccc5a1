/** Leads to the plans. A subscription that the provider has ended is replaced by a new one, which brings the organisation back. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '~/shared/api/config.ts';
import { billingTexts } from '../texts.ts';

export function BuyAgain() {
  const config = useQuery(configQuery);
  return (
    <Button component="a" href={config.data?.pricingUrl ?? '/pricing'} size="xs" mt={8}>
      {billingTexts.viewPlans}
    </Button>
  );
}
