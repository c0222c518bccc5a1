/** /select-billing-account?planId=: choose the account that pays for the plan. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type AccountOut, messageOf } from '@vitrine/api';
import { useEffect, useState } from 'react';
import { storage } from '~/shared/lib/storage.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { accountsQuery } from '../api/billing-queries.ts';
import { storedPlan } from '../model.ts';
import classes from '../parts/choice.module.css';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

/** A plan in the URL replaces the stored one. A person without an account is redirected to create one. */
export function SelectAccountPage() {
  const { planId } = useSearch({ from: '/private/select-billing-account' });
  const plan = usePlan(planId ?? storedPlan());
  const accounts = useQuery(accountsQuery);
  const known = plan?.id ?? null;
  useEffect(() => {
    if (known !== null) storage.set('planId', known);
  }, [known]);
  // The plan is stored before this page is left.
  if (plan !== undefined && accounts.data?.found === false) return <Navigate to="/account-type" replace />;
  return (
    <TaskPage
      title={billingTexts.chooseAccount}
      lead={plan === null ? billingTexts.noPlanYet : plan === undefined ? undefined : billingTexts.forPlan(plan.title)}
      wide
    >
      {accounts.isError ? (
        <ErrorState message={messageOf(accounts.error)} onRetry={() => void accounts.refetch()} />
      ) : accounts.data === undefined || plan === undefined ? (
        <Stack gap="xs">
          <Skeleton height={78} radius="lg" />
          <Skeleton height={78} radius="lg" />
        </Stack>
      ) : (
        <Choice accounts={accounts.data.accounts} hasPlan={plan !== null} />
      )}
    </TaskPage>
  );
}

function Choice({ accounts, hasPlan }: { accounts: readonly AccountOut[]; hasPlan: boolean }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(accounts[0]?.uid ?? '');
  const go = () => {
    if (!hasPlan) return toastFailure(billingTexts.selectAPlan);
    if (chosen === '') return;
    storage.set('accountId', chosen);
    void navigate({ to: '/billing/$accountId', params: { accountId: chosen } });
  };
  return (
    <Stack gap="md">
      {accounts.length === 0 && <Text c="dimmed">{billingTexts.noAccounts}</Text>}
      <Stack gap="xs" role="radiogroup" aria-label={billingTexts.accounts}>
        {accounts.map((account) => (
          <label key={account.uid} className={classes.choice} data-selected={account.uid === chosen || undefined}>
            <input
              type="radio"
              name="account"
              checked={account.uid === chosen}
              onChange={() => setChosen(account.uid)}
            />
            <span className={classes.words}>
              <Text component="span" fw={600} fz="md">
                {account.friendlyName}
              </Text>
              <Text component="span" c="dimmed" fz="sm">
                {[account.billingName, account.billingPhone, account.billingEmail].filter(Boolean).join(' · ')}
              </Text>
            </span>
          </label>
        ))}
      </Stack>
      <Group justify="space-between">
        <Button component={Link} to="/account-type" variant="default">
          {billingTexts.addAccount}
        </Button>
        <Button onClick={go} disabled={accounts.length === 0}>
          {commonTexts.continue}
        </Button>
      </Group>
    </Stack>
  );
}
