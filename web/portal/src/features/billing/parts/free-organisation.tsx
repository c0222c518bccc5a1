/** Creates an organisation of an account on a server where payment is turned off. */
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { codeOf, messageOf } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { orgTexts } from '~/features/orgs/texts.ts';
import { VerifyAddress } from '~/features/session/parts/verify-address.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { useCreateOrganisation } from '../api/billing-mutations.ts';
import { billingTexts } from '../texts.ts';
import { CheckoutFailed } from './checkout-failed.tsx';

export function FreeOrganisation({ accountId }: { accountId: string }) {
  const create = useCreateOrganisation(accountId);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const code = codeOf(create.error);
  const [unproved, isFull] = [code === 'email_unproved', code === 'account_full'];
  const isShown = create.isError && !unproved && !isFull;
  const problem = isEmpty ? orgTexts.nameRequired : isShown ? messageOf(create.error) : null;
  const start = () => {
    if (create.isPending || create.isSuccess) return;
    setEmpty(name.trim() === '');
    if (name.trim() === '') return;
    create.mutate(name.trim(), {
      onSuccess: ({ uid }) => void navigate({ to: '/org/$orgId/profile', params: { orgId: uid } }),
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start();
  };
  return (
    <TaskPage title={billingTexts.createOrganisation}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={billingTexts.organisationName}
            value={name}
            error={problem}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {unproved && <VerifyAddress error={create.error} />}
          {!isFull && (
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending || create.isSuccess}>
                {billingTexts.create}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      {isFull && <CheckoutFailed accountId={accountId} error={create.error} onRetry={start} />}
    </TaskPage>
  );
}
