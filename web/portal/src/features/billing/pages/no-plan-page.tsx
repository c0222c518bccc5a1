/** /no-plan: signed in, but without an active organisation. */
import { Anchor, Button, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { staffMemberships } from '~/features/orgs/memberships.ts';
import { DeletedOrganisations } from '~/features/orgs/parts/deleted-organisations.tsx';
import { orgTexts } from '~/features/orgs/texts.ts';
import { useSignOut } from '~/features/session/sign-out.ts';
import { configQuery } from '~/shared/api/config.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { plansQuery } from '../api/billing-queries.ts';
import { PlanCards } from '../parts/plan-cards.tsx';
import { billingTexts } from '../texts.ts';

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
  if (memberships.data === undefined) return <Waiting />;
  return staffMemberships(memberships.data).length > 0 ? <Navigate to="/" replace /> : <NoPlan />;
}

function NoPlan() {
  const config = useQuery(configQuery);
  const plans = useQuery(plansQuery);
  const signOut = useSignOut();
  const isFree = config.data?.billing === 'none';
  if (config.isPending || (!isFree && plans.isPending)) return <Waiting />;
  return (
    <TaskPage title={orgTexts.noPlan} lead={isFree ? billingTexts.freeHint : orgTexts.noPlanHint} wide>
      {!isFree && <PlanCards />}
      <Group gap="xs">
        {isFree ? (
          <Button component={Link} to="/select-billing-account">
            {billingTexts.createOrganisation}
          </Button>
        ) : (
          <Button component="a" variant="default" href={config.data?.pricingUrl ?? '/pricing'} rel="noopener">
            {orgTexts.viewPlans}
          </Button>
        )}
        <Button variant="default" onClick={() => void signOut()}>
          {orgTexts.logout}
        </Button>
      </Group>
      <DeletedOrganisations />
      {/* There, organizations whose plan has ended can be left, and the account can be erased. */}
      <Anchor href="/app/" fz="sm">
        {orgTexts.ownData}
      </Anchor>
    </TaskPage>
  );
}

function Waiting() {
  return (
    <TaskPage title={orgTexts.yourOrganisations} wide>
      <div aria-busy="true">
        <Skeleton height={42} mb="md" />
        <Skeleton height={320} />
      </div>
    </TaskPage>
  );
}
