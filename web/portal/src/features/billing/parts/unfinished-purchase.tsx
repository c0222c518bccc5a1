/** What became of a purchase that did not lead to an organisation, and what to do about it. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import type { FoundPurchase } from '../api/billing-queries.ts';
import type { PurchaseEnd } from '../purchase.ts';
import { billingTexts } from '../texts.ts';

interface UnfinishedPurchaseProps {
  end: PurchaseEnd;
  /** Null if it was not found. */
  found: FoundPurchase | null;
}

export function UnfinishedPurchase({ end, found }: UnfinishedPurchaseProps) {
  const config = useQuery(configQuery);
  const { title, text } = billingTexts.purchaseEnds[end];
  const mayRetry = end === 'failed' || end === 'expired';
  return (
    <TaskPage title={title} lead={<span role="alert">{text}</span>}>
      <Group>
        {found !== null && mayRetry ? (
          <Button
            component={Link}
            to={`/billing/${found.accountId}`}
            onClick={() => storage.set('planId', found.purchase.planId ?? '')}
          >
            {billingTexts.retryPayment}
          </Button>
        ) : end === 'ended' ? (
          <Button component="a" href={config.data?.pricingUrl ?? '/pricing'}>
            {billingTexts.viewPlans}
          </Button>
        ) : (
          <Button component={Link} to="/billing">
            {billingTexts.toBilling}
          </Button>
        )}
      </Group>
      <Text c="dimmed" fz="sm">
        <Anchor href={config.data?.contactUrl ?? ''} target="_blank" rel="noopener" underline="always">
          {billingTexts.contactUs}
        </Anchor>{' '}
        {billingTexts.contactIfWrong}
      </Text>
    </TaskPage>
  );
}
