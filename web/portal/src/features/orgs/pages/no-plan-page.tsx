/** /no-plan: signed in, but without an active organisation. */
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { useSignOut } from '~/features/session/sign-out.ts';
import { configQuery } from '~/shared/api/config.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { membershipsQuery } from '../api/org-queries.ts';
import { staffMemberships } from '../memberships.ts';
import { orgTexts } from '../texts.ts';

/** Redirects people who have access, also after a purchase in another tab. */
export function NoPlanPage() {
  const memberships = useQuery({ ...membershipsQuery, refetchOnWindowFocus: 'always' });
  if (memberships.isLoadingError) {
    return (
      <TaskPage title={orgTexts.yourOrganisations}>
        <ErrorState message={messageOf(memberships.error)} onRetry={() => void memberships.refetch()} />
      </TaskPage>
    );
  }
  if (memberships.data === undefined) {
    return (
      <TaskPage title={orgTexts.yourOrganisations}>
        <div aria-busy="true">
          <Skeleton height={42} mb="md" />
          <Skeleton height={36} width={200} />
        </div>
      </TaskPage>
    );
  }
  return staffMemberships(memberships.data).length > 0 ? <Navigate to="/" replace /> : <NoPlan />;
}

function NoPlan() {
  const config = useQuery(configQuery);
  const signOut = useSignOut();
  return (
    <TaskPage title={orgTexts.noPlan}>
      <Text c="dimmed">{orgTexts.noPlanHint}</Text>
      <Group gap="xs">
        <Button component="a" href={config.data?.pricingUrl ?? '/pricing'} rel="noopener">
          {orgTexts.viewPlans}
        </Button>
        <Button variant="default" onClick={() => void signOut()}>
          {orgTexts.logout}
        </Button>
      </Group>
    </TaskPage>
  );
}
