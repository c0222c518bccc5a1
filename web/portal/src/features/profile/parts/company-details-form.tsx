/** The second onboarding step: company and job. */
import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ProfileOut } from '@vitrine/api';
import { takeRedirect } from '~/features/session/model.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import steady from '~/shared/ui/steady-form.module.css';
import { useSaveProfile } from '../api/profile-queries.ts';
import { WorkFields } from './work-fields.tsx';

/** Nothing is required; Continue saves and opens the remembered address. */
export function CompanyDetailsForm({ profile }: { profile: ProfileOut }) {
  const navigate = useNavigate();
  const save = useSaveProfile();
  const form = useForm({
    initialValues: { company: profile.company, jobTitle: profile.jobTitle, businessArea: profile.businessArea },
  });
  const submit = form.onSubmit((values) => {
    if (save.isPending) return;
    save.mutate(values, { onSuccess: () => void navigate({ href: takeRedirect() }) });
  });
  return (
    <form onSubmit={submit} noValidate className={steady.form}>
      <WorkFields values={form.values} onChange={form.setValues} company={form.getInputProps('company')} />
      <Group justify="flex-end">
        <Button type="submit" loading={save.isPending}>
          {commonTexts.continue}
        </Button>
      </Group>
    </form>
  );
}
