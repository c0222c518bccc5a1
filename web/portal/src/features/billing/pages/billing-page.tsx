/** /billing in the shell: the accounts with their plans, each opening the provider's management page. */
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AccountOut, messageOf } from '@vitrine/api';
import { configQuery } from '~/shared/api/config.ts';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { accountsQuery } from '../api/billing-queries.ts';
import { AccountCard } from '../parts/account-card.tsx';
import { OrganisationDeletion } from '../parts/organisation-deletion.tsx';
import { billingTexts } from '../texts.ts';
import page from './billing-page.module.css';

export function BillingPage() {
  const accounts = useQuery(accountsQuery);
  const isFree = useQuery(configQuery).data?.billing === 'none';
  return (
    <Page title={billingTexts.billing}>
      <div className={page.column}>
        {isFree && (
          <Text c="dimmed" mb="md">
            {billingTexts.paymentOff}
          </Text>
        )}
        {accounts.isError ? (
          <ErrorState message={messageOf(accounts.error)} onRetry={() => void accounts.refetch()} />
        ) : accounts.data === undefined ? (
          <Stack gap="xs">
            <Skeleton height={80} radius="lg" />
            <Skeleton height={80} radius="lg" />
          </Stack>
        ) : accounts.data.accounts.length === 0 ? (
          <Surface>
            <EmptyState
              icon={IconCreditCard}
              title={billingTexts.noAccounts}
              action={
                <Button component={Link} to="/account-type">
                  {billingTexts.addAccount}
                </Button>
              }
            />
          </Surface>
        ) : (
          <AccountList accounts={accounts.data.accounts} />
        )}
        <OrganisationDeletion />
      </div>
    </Page>
  );
}

function AccountList({ accounts }: { accounts: readonly AccountOut[] }) {
  return (
    <Stack gap="md">
      {accounts.map((account) => (
        <AccountCard key={account.uid} account={account} />
      ))}
    </Stack>
  );
}
