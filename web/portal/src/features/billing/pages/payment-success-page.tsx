/** /billing/success?provision_id=: waits for the new organisation, or says why there is none. */
import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { purchaseQuery } from '../api/billing-queries.ts';
import { storedPlan } from '../model.ts';
import { UnfinishedPurchase } from '../parts/unfinished-purchase.tsx';
import { endOf } from '../purchase.ts';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

/** How long to wait before offering a contact link; polling continues. */
const PATIENCE_MS = 120_000;

export function PaymentSuccessPage() {
  const { provision_id } = useSearch({ from: '/private/billing/success' });
  const client = useQueryClient();
  const navigate = useNavigate();
  const [accountId] = useState(() => storage.get('accountId'));
  const [stored] = useState(storedPlan);
  const [long, setLong] = useState(false);
  const config = useQuery(configQuery);
  const { data: found } = useQuery({ ...purchaseQuery(provision_id, accountId), enabled: provision_id !== '' });
  const purchase = found?.purchase;
  const { plan } = usePlan(purchase?.planId ?? stored);
  useTimeout(() => setLong(true), PATIENCE_MS, { autoInvoke: true });

  const orgId = purchase?.active === true ? (purchase.orgId ?? null) : null;
  useEffect(() => {
    if (orgId === null) return;
    // The cached lists are from before the purchase.
    client.removeQueries({ queryKey: organisationsQuery.queryKey });
    client
      .fetchQuery({ ...membershipsQuery, staleTime: 0 })
      .catch(() => undefined)
      .then(() => navigate({ to: '/org/$orgId/profile', params: { orgId }, replace: true }))
      .then(() => storage.remove('planId'));
  }, [orgId, client, navigate]);

  if (provision_id === '' || found === null) return <UnfinishedPurchase end="unknown" found={null} />;
  const end = purchase === undefined ? null : endOf(purchase);
  if (found !== undefined && end !== null) return <UnfinishedPurchase end={end} found={found} />;
  return (
    <TaskPage title={plan?.title ?? billingTexts.paymentReceived}>
      <Group gap="sm" role="status">
        <Loader size="sm" aria-hidden />
        <Text>{billingTexts.redirected}</Text>
      </Group>
      {long && (
        <Text c="dimmed" fz="sm">
          {billingTexts.takesLong}{' '}
          <Anchor href={config.data?.contactUrl ?? ''} target="_blank" rel="noopener" underline="always">
            {billingTexts.contactUs}
          </Anchor>{' '}
          {billingTexts.contactUsWhen}
        </Text>
      )}
    </TaskPage>
  );
}
