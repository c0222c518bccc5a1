/** /on-boarding/details/company: the optional second step. */
import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ProfileOut } from '@vitrine/api';
import { businessAreas, jobTitles } from '@vitrine/api/options';
import { takeRedirect } from '~/features/session/model.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { profileQuery, useSaveProfile } from '../api/profile-queries.ts';
import { ChoiceSelect } from '../parts/choice-select.tsx';
import { profileTexts } from '../texts.ts';

export function CompanyDetailsPage() {
  const profile = useQuery(profileQuery);
  return (
    <TaskPage title={profileTexts.almostThere} lead="A few words about your work." wide>
      {profile.data === undefined ? (
        <Stack gap="md">
          <Skeleton height={58} />
          <Skeleton height={58} />
          <Skeleton height={58} />
        </Stack>
      ) : (
        <CompanyForm profile={profile.data} />
      )}
    </TaskPage>
  );
}

function CompanyForm({ profile }: { profile: ProfileOut }) {
  const navigate = useNavigate();
  const save = useSaveProfile();
  const form = useForm({
    initialValues: { company: profile.company, jobTitle: profile.jobTitle, businessArea: profile.businessArea },
  });
  const submit = form.onSubmit((values) => {
    save.mutate(values, { onSuccess: () => void navigate({ href: takeRedirect() }) });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput label="Company" autoComplete="organization" {...form.getInputProps('company')} />
        <ChoiceSelect
          label="Job title"
          options={jobTitles}
          value={form.values.jobTitle}
          onChange={(value) => form.setFieldValue('jobTitle', value)}
        />
        <ChoiceSelect
          label="Business area"
          options={businessAreas}
          value={form.values.businessArea}
          onChange={(value) => form.setFieldValue('businessArea', value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            Continue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
