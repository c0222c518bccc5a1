/** /no-plan: signed in, but no organisation to work in. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useSignOut } from '~/features/session/sign-out.ts';
import { configQuery } from '~/shared/api/config.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { membershipsQuery } from '../api/org-queries.ts';
import { staffMemberships } from '../memberships.ts';
import { orgTexts } from '../texts.ts';

/** Opened with access it leads on (G-33). */
export function NoPlanPage() {
  const memberships = useQuery(membershipsQuery);
  const config = useQuery(configQuery);
  const signOut = useSignOut();
  if (memberships.data !== undefined && staffMemberships(memberships.data).length > 0) {
    return <Navigate to="/" replace />;
  }
  return (
    <TaskPage title={orgTexts.noPlan}>
      <Text c="dimmed">Choose a plan to open an organisation, or ask a colleague to invite you to theirs.</Text>
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
