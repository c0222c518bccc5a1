/** /select-billing-account?planId=: choose the account that pays for the plan. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type AccountOut, messageOf } from '@vitrine/api';
import { useEffect, useState } from 'react';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { accountsQuery } from '../api/billing-queries.ts';
import { storedPlan } from '../model.ts';
import classes from '../parts/choice.module.css';
import { Beside } from '../parts/plan-summary.tsx';
import { billingTexts } from '../texts.ts';
import { usePlan } from '../use-plan.ts';

/**
 * A plan in the URL replaces the stored one; an unknown one counts as none, also afterwards. A person without an account
 * is redirected to create one.
 */
export function SelectAccountPage() {
  const { planId } = useSearch({ from: '/private/select-billing-account' });
  const [wanted] = useState(() => planId ?? storedPlan());
  const { plan, error, retry } = usePlan(wanted);
  const accounts = useQuery(accountsQuery);
  const config = useQuery(configQuery);
  const isFree = config.data?.billing === 'none';
  const known = plan === undefined ? undefined : (plan?.id ?? null);
  useEffect(() => {
    if (known === null) storage.remove('planId');
    else if (known !== undefined) storage.set('planId', known);
  }, [known]);
  // The plan is stored before this page is left.
  if (plan !== undefined && accounts.data?.found === false) return <Navigate to="/account-type" replace />;
  const failed = error ?? (accounts.data === undefined ? accounts.error : null);
  const lead = isFree ? billingTexts.freeAccount : plan === null ? billingTexts.noPlanYet : undefined;
  return (
    <TaskPage title={billingTexts.chooseAccount} lead={lead} wide widest={!isFree && plan !== null}>
      {failed !== null ? (
        <ErrorState message={messageOf(failed)} onRetry={error === null ? () => void accounts.refetch() : retry} />
      ) : (
        <Beside plan={isFree ? null : plan}>
          {accounts.data === undefined || plan === undefined || config.isPending ? (
            <Stack gap="xs">
              <Skeleton height={78} radius="lg" />
              <Skeleton height={78} radius="lg" />
            </Stack>
          ) : (
            <Choice accounts={accounts.data.accounts} mayContinue={isFree || plan !== null} />
          )}
        </Beside>
      )}
    </TaskPage>
  );
}

function Choice({ accounts, mayContinue }: { accounts: readonly AccountOut[]; mayContinue: boolean }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(accounts[0]?.uid ?? '');
  const go = () => {
    if (!mayContinue) return toastFailure(billingTexts.selectAPlan);
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
              {[account.billingName, account.billingPhone, account.billingEmail].filter(Boolean).map((line) => (
                <Text component="span" c="dimmed" fz="sm" key={line}>
                  {line}
                </Text>
              ))}
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
