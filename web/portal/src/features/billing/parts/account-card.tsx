/** A billing account with its plans; its head opens the provider's management page in a new tab. */
import { Box, Button, Group, Text } from '@mantine/core';
import { IconCreditCard, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccountOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { configQuery } from '~/shared/api/config.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { billingTexts } from '../texts.ts';
import { useManageTab } from '../use-manage-tab.ts';
import card from './account-card.module.css';
import { BlockedTab } from './blocked-tab.tsx';
import classes from './choice.module.css';
import { Purchases } from './purchases.tsx';
import { RefusedDetails } from './refused-details.tsx';

const EditAccount = lazyPart(() => import('./edit-account.tsx'), 'EditAccount');
const Managers = lazyPart(() => import('./managers.tsx'), 'Managers');

export function AccountCard({ account }: { account: AccountOut }) {
  const isFree = useQuery(configQuery).data?.billing === 'none';
  const { open, blocked } = useManageTab(account.uid);
  const [dialog, setDialog] = useState<'details' | 'managers' | null>(null);
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
      <Purchases accountId={account.uid} />
      <div className={card.foot}>
        <RefusedDetails words={account.refusal} />
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setDialog('details')}>
            {billingTexts.editDetails}
          </Button>
          <Button variant="default" size="xs" onClick={() => setDialog('managers')}>
            {billingTexts.managers}
          </Button>
          <Button component={Link} to={`/billing/${account.uid}/audit`} variant="default" size="xs">
            {billingTexts.auditLog}
          </Button>
        </Group>
      </div>
      <Suspense>
        {dialog === 'details' && <EditAccount account={account} onClose={() => setDialog(null)} />}
        {dialog === 'managers' && <Managers account={account} onClose={() => setDialog(null)} />}
      </Suspense>
    </Surface>
  );
}
