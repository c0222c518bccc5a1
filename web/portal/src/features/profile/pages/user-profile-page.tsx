/** /user-profile: photo and details of the signed-in person. */
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { Page } from '~/shared/ui/page.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { profileQuery } from '../api/profile-queries.ts';
import { UserProfileForm } from '../parts/user-profile-form.tsx';

export function UserProfilePage() {
  const profile = useQuery(profileQuery);
  return (
    <Page title="Profile">
      <Surface>
        {profile.isError ? (
          <ErrorState message={messageOf(profile.error)} onRetry={() => void profile.refetch()} />
        ) : profile.data === undefined ? (
          <Stack gap="md" maw={640}>
            <Skeleton height={76} width={76} radius="xl" />
            <Skeleton height={58} />
            <Skeleton height={58} />
            <Skeleton height={58} />
          </Stack>
        ) : (
          <UserProfileForm key={profile.data.uid} profile={profile.data} />
        )}
      </Surface>
    </Page>
  );
}
