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
import { useLoading } from '../use-loading.ts';
import page from './billing-page.module.css';

export function BillingPage() {
  const accounts = useQuery(accountsQuery);
  const config = useQuery(configQuery);
  const isFree = config.data?.billing === 'none';
  return (
    <Page title={billingTexts.billing}>
      <div className={page.column}>
        {isFree && (
          <Text c="dimmed" mb="md">
            {billingTexts.paymentOff}
          </Text>
        )}
        {accounts.isLoadingError ? (
          <ErrorState message={messageOf(accounts.error)} onRetry={() => void accounts.refetch()} />
        ) : accounts.data === undefined || !config.isFetched ? (
          <Stack gap="xs">
            <Skeleton height={80} radius="lg" />
            <Skeleton height={80} radius="lg" />
          </Stack>
        ) : accounts.data.accounts.length === 0 ? (
          <>
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
            <OrganisationDeletion />
          </>
        ) : (
          <Accounts accounts={accounts.data.accounts} />
        )}
      </div>
    </Page>
  );
}

/** What is below an account whose plans are loading is shown after them, so that nothing moves. */
function Accounts({ accounts }: { accounts: readonly AccountOut[] }) {
  const loading = useLoading(accounts);
  const first = loading.indexOf(true);
  const shown = first === -1 ? accounts : accounts.slice(0, first + 1);
  return (
    <>
      <Stack gap="md">
        {shown.map((account, place) => (
          <AccountCard key={account.uid} account={account} isLoading={loading[place] === true} />
        ))}
      </Stack>
      {first === -1 && <OrganisationDeletion />}
    </>
  );
}
