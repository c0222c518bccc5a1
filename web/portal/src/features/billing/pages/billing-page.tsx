/** /billing in the shell: the accounts with their plans, each opening the provider's management page. */
import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconCreditCard, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AccountOut, messageOf } from '@vitrine/api';
import { useState } from 'react';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { useManageBilling } from '../api/billing-mutations.ts';
import { accountsQuery } from '../api/billing-queries.ts';
import classes from '../parts/choice.module.css';
import { Purchases } from '../parts/purchases.tsx';
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
  return (
    <Stack gap="md">
      {accounts.map((account) => (
        <Account key={account.uid} account={account} />
      ))}
    </Stack>
  );
}

function Account({ account }: { account: AccountOut }) {
  const manage = useManageBilling();
  /** The address of the provider's page, if the browser did not let it be opened. */
  const [blocked, setBlocked] = useState<string | null>(null);
  const open = () => {
    setBlocked(null);
    // Open the tab synchronously in the click handler, or the popup blocker stops it.
    const tab = window.open('', '_blank');
    manage.mutate(account.uid, {
      onSuccess: ({ url }) => {
        if (!isWebAddress(url)) return;
        if (tab === null) setBlocked(url);
        else tab.location.replace(url);
      },
      onError: () => tab?.close(),
    });
  };
  return (
    <Surface as="section" flush>
      <button type="button" className={`${classes.choice} ${page.account}`} onClick={open}>
        <IconCreditCard size={22} stroke={1.6} className={classes.icon} aria-hidden />
        <span className={classes.words}>
          <Text component="span" fw={600} fz="md">
            {account.friendlyName}
          </Text>
          <Text component="span" c="dimmed" fz="sm">
            {[account.billingName, account.billingEmail].filter(Boolean).join(' · ')}
          </Text>
        </span>
        <span className={page.manage}>{billingTexts.manage}</span>
        <IconExternalLink size={18} stroke={1.7} aria-label={billingTexts.opensInNewTab} />
      </button>
      {blocked !== null && (
        <Text role="status" fz="sm" px={16} pb={12}>
          {billingTexts.tabBlocked}{' '}
          <Anchor href={blocked} target="_blank" rel="noopener" underline="always">
            {billingTexts.openBilling}
          </Anchor>
        </Text>
      )}
      <Purchases accountId={account.uid} />
    </Surface>
  );
}
