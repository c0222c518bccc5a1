/** The details of a billing account and its managers, and what changes them. */
import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccountOut } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import { managersQuery } from '../api/account-queries.ts';
import { billingTexts } from '../texts.ts';
import classes from './account-card.module.css';
import { RefusedDetails } from './refused-details.tsx';

const EditAccount = lazyPart(() => import('./edit-account.tsx'), 'EditAccount');
const Managers = lazyPart(() => import('./managers.tsx'), 'Managers');

export function AccountDetails({ account }: { account: AccountOut }) {
  const [dialog, setDialog] = useState<'details' | 'managers' | null>(null);
  const managers = useQuery(managersQuery(account.uid));
  const names = managers.data?.map(({ displayName, email }) => displayName || email);
  return (
    <div className={classes.foot}>
      <div className={classes.sides}>
        <div>
          <Title order={3} fz={14} mb={4}>
            {billingTexts.details}
          </Title>
          <DetailList
            rows={[
              [billingTexts.payeeName, account.billingName],
              [billingTexts.payeeEmail, account.billingEmail],
              [billingTexts.phone, account.billingPhone],
              [billingTexts.accountType, billingTexts.accountTypes[account.type].label],
            ]}
          />
        </div>
        <div>
          <Title order={3} fz={14} mb={4}>
            {billingTexts.managers}
          </Title>
          <Text fz="sm">{names?.join(', ')}</Text>
        </div>
      </div>
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
      <Suspense>
        {dialog === 'details' && <EditAccount account={account} onClose={() => setDialog(null)} />}
        {dialog === 'managers' && <Managers account={account} onClose={() => setDialog(null)} />}
      </Suspense>
    </div>
  );
}
