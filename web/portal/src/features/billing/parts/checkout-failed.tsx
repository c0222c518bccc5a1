/** Why a checkout could not be started, and what to do about it. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { codeOf, messageOf } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { VerifyAddress } from '~/features/session/parts/verify-address.tsx';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { accountsQuery } from '../api/billing-queries.ts';
import { billingTexts } from '../texts.ts';

const EditAccount = lazyPart(() => import('./edit-account.tsx'), 'EditAccount');

interface CheckoutFailedProps {
  accountId: string;
  error: unknown;
  onRetry: () => void;
}

export function CheckoutFailed({ accountId, error, onRetry }: CheckoutFailedProps) {
  const [editing, setEditing] = useState(false);
  const code = codeOf(error);
  const isFull = code === 'account_full';
  // Only a changed account helps.
  const needsChange = isFull || code === 'details_refused';
  const accounts = useQuery({ ...accountsQuery, enabled: needsChange });
  const account = accounts.data?.accounts.find(({ uid }) => uid === accountId);
  return (
    <>
      {code === 'email_unproved' ? <VerifyAddress error={error} /> : <Text role="alert">{messageOf(error)}</Text>}
      <Group>
        {code === 'plan_suspended' ? (
          // The open invoice is paid there.
          <Button component={Link} to="/billing">
            {billingTexts.toBilling}
          </Button>
        ) : needsChange ? (
          <Button loading={accounts.isPending} disabled={account === undefined} onClick={() => setEditing(true)}>
            {isFull ? billingTexts.changeType : billingTexts.editDetails}
          </Button>
        ) : (
          <Button onClick={onRetry}>{commonTexts.tryAgain}</Button>
        )}
      </Group>
      <Suspense>
        {editing && account !== undefined && (
          <EditAccount account={account} onClose={() => setEditing(false)} onSaved={onRetry} />
        )}
      </Suspense>
    </>
  );
}
