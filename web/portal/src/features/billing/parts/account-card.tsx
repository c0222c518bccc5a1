/** A billing account with its plans; its head opens the provider's management page in a new tab. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconCreditCard, IconExternalLink } from '@tabler/icons-react';
import type { AccountOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { isWebAddress } from '~/shared/lib/urls.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { useManageBilling } from '../api/billing-mutations.ts';
import { billingTexts } from '../texts.ts';
import card from './account-card.module.css';
import classes from './choice.module.css';
import { Purchases } from './purchases.tsx';
import { RefusedDetails } from './refused-details.tsx';

const EditAccount = lazyPart(() => import('./edit-account.tsx'), 'EditAccount');
const Managers = lazyPart(() => import('./managers.tsx'), 'Managers');

export function AccountCard({ account }: { account: AccountOut }) {
  const manage = useManageBilling();
  /** The address of the provider's page, if the browser did not let it be opened. */
  const [blocked, setBlocked] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'details' | 'managers' | null>(null);
  const open = () => {
    if (manage.isPending) return;
    setBlocked(null);
    // Open the tab synchronously in the click handler, or the popup blocker stops it.
    const tab = window.open('', '_blank');
    manage.mutate(account.uid, {
      onSuccess: ({ url }) => {
        if (!isWebAddress(url)) return tab?.close();
        if (tab === null) setBlocked(url);
        else tab.location.replace(url);
      },
      onError: () => tab?.close(),
    });
  };
  return (
    <Surface as="section" flush label={account.friendlyName}>
      <button type="button" className={`${classes.choice} ${card.account}`} onClick={open}>
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
        <span className={card.manage}>{billingTexts.manage}</span>
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
      <div className={card.foot}>
        <RefusedDetails words={account.refusal} />
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setDialog('details')}>
            {billingTexts.editDetails}
          </Button>
          <Button variant="default" size="xs" onClick={() => setDialog('managers')}>
            {billingTexts.managers}
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
