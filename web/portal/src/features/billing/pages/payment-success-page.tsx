/** /billing/success?provision_id=: waits for the new organisation. */
import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { provisionQuery } from '../api/billing-queries.ts';
import { storedPlan } from '../model.ts';
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
  const provision = useQuery({ ...provisionQuery(provision_id, accountId), enabled: provision_id !== '' });
  const plan = usePlan(stored ?? provision.data?.planId ?? null);
  useTimeout(() => setLong(true), PATIENCE_MS, { autoInvoke: true });

  const orgId = provision.data?.active === true ? (provision.data.orgId ?? null) : null;
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
