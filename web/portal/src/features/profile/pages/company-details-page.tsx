/** /on-boarding/details/company: the optional second step. */
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { profileQuery } from '../api/profile-queries.ts';
import { CompanyDetailsForm } from '../parts/company-details-form.tsx';
import { FormSkeleton } from '../parts/form-skeleton.tsx';
import { profileTexts } from '../texts.ts';

export function CompanyDetailsPage() {
  const profile = useQuery(profileQuery);
  return (
    <TaskPage title={profileTexts.almostThere} lead={profileTexts.companyLead} wide>
      {profile.isLoadingError ? (
        <ErrorState message={messageOf(profile.error)} onRetry={() => void profile.refetch()} />
      ) : profile.data === undefined ? (
        <FormSkeleton rows={['field', 'field', 'field']} />
      ) : (
        <CompanyDetailsForm profile={profile.data} />
      )}
    </TaskPage>
  );
}
