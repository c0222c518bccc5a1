/** A billing account with its plans; its head opens the provider's management page in a new tab. */
import { Box, Text } from '@mantine/core';
import { IconCreditCard, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { AccountOut } from '@vitrine/api';
import { configQuery } from '~/shared/api/config.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { billingTexts } from '../texts.ts';
import { useManageTab } from '../use-manage-tab.ts';
import card from './account-card.module.css';
import { AccountDetails } from './account-details.tsx';
import { BlockedTab } from './blocked-tab.tsx';
import classes from './choice.module.css';
import { Payment } from './payment.tsx';
import { PurchaseSkeleton, Purchases } from './purchases.tsx';

interface AccountCardProps {
  account: AccountOut;
  /** Whether its plans, their use or its managers are loading. */
  isLoading: boolean;
}

export function AccountCard({ account, isLoading }: AccountCardProps) {
  const isFree = useQuery(configQuery).data?.billing === 'none';
  const { open, blocked } = useManageTab(account.uid);
  const words = (
    <>
      <IconCreditCard size={22} stroke={1.6} className={classes.icon} aria-hidden />
      <span className={classes.words}>
        <Text component="span" fw={600} fz="md">
          {account.friendlyName}
        </Text>
        <Text component="span" c="dimmed" fz="sm">
          {account.billingName}
        </Text>
        <Text component="span" c="dimmed" fz="sm">
          {account.billingEmail}
        </Text>
      </span>
    </>
  );
  return (
    <Surface as="section" flush label={account.friendlyName}>
      {isFree ? (
        <div className={card.head}>{words}</div>
      ) : (
        <button type="button" className={`${classes.choice} ${card.account}`} onClick={open}>
          {words}
          <span className={card.manage}>{billingTexts.manage}</span>
          <IconExternalLink size={18} stroke={1.7} aria-label={billingTexts.opensInNewTab} />
        </button>
      )}
      {blocked !== null && (
        <Box px={16} pb={12}>
          <BlockedTab url={blocked} />
        </Box>
      )}
      {isLoading ? (
        <PurchaseSkeleton />
      ) : (
        <>
          <Purchases accountId={account.uid} />
          <AccountDetails account={account} />
          {!isFree && <Payment accountId={account.uid} />}
        </>
      )}
    </Surface>
  );
}
