/** /user-profile: photo and details of the signed-in person. */
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { Page } from '~/shared/ui/page.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { profileQuery } from '../api/profile-queries.ts';
import { FormSkeleton } from '../parts/form-skeleton.tsx';
import { UserProfileForm } from '../parts/user-profile-form.tsx';
import { profileTexts } from '../texts.ts';
import classes from './user-profile-page.module.css';

export function UserProfilePage() {
  const profile = useQuery(profileQuery);
  return (
    <Page title={profileTexts.profile}>
      <Surface className={classes.card ?? ''}>
        {profile.isLoadingError ? (
          <ErrorState message={messageOf(profile.error)} onRetry={() => void profile.refetch()} />
        ) : profile.data === undefined ? (
          <FormSkeleton rows={['photo', 'pair', 'pair', 'pair', 'field']} />
        ) : (
          <UserProfileForm key={profile.data.uid} profile={profile.data} />
        )}
      </Surface>
    </Page>
  );
}
