/** /billing in the shell: the accounts, each linking to the provider's management page. */
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconCreditCard, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AccountOut, messageOf } from '@vitrine/api';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { accountsQuery, useManageBilling } from '../api/billing-queries.ts';
import classes from '../parts/choice.module.css';
import { billingTexts } from '../texts.ts';
import page from './billing-page.module.css';

export function BillingPage() {
  const accounts = useQuery(accountsQuery);
  return (
    <Page title={billingTexts.billing}>
      <div className={page.column}>
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
      </div>
    </Page>
  );
}

function AccountList({ accounts }: { accounts: readonly AccountOut[] }) {
  const manage = useManageBilling();
  const open = (account: AccountOut) => {
    // Open the tab synchronously in the click handler, or the popup blocker stops it.
    const tab = window.open('', '_blank');
    manage.mutate(account.uid, {
      onSuccess: ({ url }) => {
        if (tab !== null && isWebAddress(url)) tab.location.replace(url);
      },
      onError: () => tab?.close(),
    });
  };
  return (
    <Stack gap="xs">
      {accounts.map((account) => (
        <button key={account.uid} type="button" className={classes.choice} onClick={() => open(account)}>
          <IconCreditCard size={22} stroke={1.6} className={classes.icon} aria-hidden />
          <span className={classes.words}>
            <Text component="span" fw={600} fz="md">
              {account.friendlyName}
            </Text>
            <Text component="span" c="dimmed" fz="sm">
              {[account.billingName, account.billingEmail].filter(Boolean).join(' · ')}
            </Text>
          </span>
          <IconExternalLink size={18} stroke={1.7} aria-label={billingTexts.opensInNewTab} />
        </button>
      ))}
    </Stack>
  );
}
