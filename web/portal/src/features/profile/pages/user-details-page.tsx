/** /on-boarding/details/user: the first onboarding step. */
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { configQuery } from '~/shared/api/config.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { profileQuery } from '../api/profile-queries.ts';
import { FormSkeleton } from '../parts/form-skeleton.tsx';
import { UserDetailsForm } from '../parts/user-details-form.tsx';
import { profileTexts } from '../texts.ts';

/** Waits for the terms URL too: people must be able to read what they accept. */
export function UserDetailsPage() {
  const profile = useQuery(profileQuery);
  const config = useQuery(configQuery);
  const failed = [profile, config].find(({ isLoadingError }) => isLoadingError);
  return (
    <TaskPage title={profileTexts.tellUs} lead={profileTexts.tellUsLead} wide>
      {failed !== undefined ? (
        <ErrorState message={messageOf(failed.error)} onRetry={() => void failed.refetch()} />
      ) : profile.data === undefined || config.data === undefined ? (
        <FormSkeleton rows={['pair', 'field', 'check']} />
      ) : (
        <UserDetailsForm profile={profile.data} termsUrl={config.data.termsUrl} />
      )}
    </TaskPage>
  );
}
