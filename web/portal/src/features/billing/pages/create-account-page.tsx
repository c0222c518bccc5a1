/** /create-billing-account?type=: the billing form. */
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import type { AccountType, ProfileOut } from '@vitrine/api';
import { useState } from 'react';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { VerifyAddress } from '~/features/session/parts/verify-address.tsx';
import { commonTexts } from '~/shared/lib/texts.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { useCreateAccount } from '../api/billing-mutations.ts';
import { type AccountForm, accountOf, accountRules, accountTypeOf, initialForm, storedPlan } from '../model.ts';
import { AccountFields } from '../parts/account-fields.tsx';
import { Beside } from '../parts/plan-summary.tsx';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

/** An unknown type redirects to the choice of types. */
export function CreateAccountPage() {
  const type = accountTypeOf(useSearch({ from: '/private/create-billing-account' }).type);
  const profile = useQuery(profileQuery);
  // The form does without the plan if that cannot be loaded.
  const { plan: found, error } = usePlan(storedPlan());
  const plan = error === null ? found : null;
  if (type === null) return <Navigate to="/account-type" replace />;
  return (
    <TaskPage title={billingTexts.details} lead={billingTexts.detailsHint} wide widest={plan !== null}>
      <Beside plan={plan}>
        {profile.isPending ? (
          <Stack gap="md">
            <Skeleton height={58} />
            <Skeleton height={58} />
            <Skeleton height={36} />
          </Stack>
        ) : (
          <Form type={type} profile={profile.data} />
        )}
      </Beside>
    </TaskPage>
  );
}

function Form({ type, profile }: { type: AccountType; profile: ProfileOut | undefined }) {
  const navigate = useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const create = useCreateAccount(key);
  const form = useForm<AccountForm>({
    initialValues: initialForm(type, profile),
    validate: accountRules,
    validateInputOnBlur: true,
  });
  const submit = form.onSubmit((values) => {
    create.mutate(accountOf(values, type), {
      onSuccess: ({ uid }) => void navigate({ to: '/billing/$accountId', params: { accountId: uid } }),
    });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <AccountFields form={form} />
        <VerifyAddress error={create.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {commonTexts.continue}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
