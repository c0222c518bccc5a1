/** /on-boarding/details/user */
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { configQuery } from '~/shared/api/config.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { profileQuery } from '../api/profile-queries.ts';
import { UserDetailsForm } from '../parts/user-details-form.tsx';

export function UserDetailsPage() {
  const profile = useQuery(profileQuery);
  const config = useQuery(configQuery);
  return (
    <TaskPage title="Tell us about you" lead="This is how colleagues will see you." wide>
      {profile.isError ? (
        <ErrorState message={messageOf(profile.error)} onRetry={() => void profile.refetch()} />
      ) : profile.data === undefined ? (
        <Stack gap="md">
          <Skeleton height={58} />
          <Skeleton height={58} />
          <Skeleton height={36} />
        </Stack>
      ) : (
        <UserDetailsForm profile={profile.data} termsUrl={config.data?.termsUrl ?? ''} />
      )}
    </TaskPage>
  );
}
