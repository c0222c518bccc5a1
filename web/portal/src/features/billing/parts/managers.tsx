/** A dialog with the people who manage a billing account. */
import { Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AccountOut, type ManagerOut, messageOf } from '@vitrine/api';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { Breakable } from '~/shared/ui/breakable.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { managersQuery } from '../api/account-queries.ts';
import { useAddManager, useRemoveManager } from '../api/billing-mutations.ts';
import { billingTexts } from '../texts.ts';
import classes from './purchases.module.css';

const ConfirmDialog = lazyPart(() => import('~/shared/ui/confirm-dialog.tsx'), 'ConfirmDialog');

export function Managers({ account, onClose }: { account: AccountOut; onClose: () => void }) {
  useReturnFocus();
  const managers = useQuery(managersQuery(account.uid));
  const [asked, setAsked] = useState<ManagerOut | null>(null);
  const remove = useRemoveManager(account.uid);
  const list = useRef<HTMLUListElement>(null);
  const me = useQuery(profileQuery).data?.uid;
  const confirm = () => {
    if (asked === null) return;
    // People who remove themselves no longer see the account.
    const onSuccess = () => {
      if (asked.uid === me) return onClose();
      setAsked(null);
      // The row with the focused button is gone.
      list.current?.focus();
    };
    remove.mutate(asked.uid, { onSuccess, onError: () => setAsked(null) });
  };
  return (
    <Modal opened onClose={onClose} closeOnEscape={asked === null} title={billingTexts.managers}>
      <Stack gap="md">
        <Text c="dimmed" fz="sm">
          {billingTexts.managersLead}
        </Text>
        {managers.isLoadingError ? (
          <ErrorState message={messageOf(managers.error)} onRetry={() => void managers.refetch()} />
        ) : managers.data === undefined ? (
          <Skeleton height={46} />
        ) : (
          <ul ref={list} tabIndex={-1} className={classes.rows} aria-label={billingTexts.managers}>
            {managers.data.map((manager, _, all) => (
              <li key={manager.uid} className={classes.person}>
                <span className={classes.words}>
                  <Text component="span" fw={600}>
                    {manager.displayName || manager.email}
                  </Text>
                  <Text component="span" c="dimmed" fz="sm">
                    <Breakable text={manager.email} />
                  </Text>
                </span>
                <Button
                  variant="default"
                  size="xs"
                  disabled={all.length === 1}
                  aria-label={billingTexts.removeManager(manager.email)}
                  onClick={() => setAsked(manager)}
                >
                  {billingTexts.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
        <AddManager accountId={account.uid} />
      </Stack>
      <Suspense>
        {asked !== null && (
          <ConfirmDialog
            opened
            action={billingTexts.remove}
            busy={remove.isPending}
            onConfirm={confirm}
            onClose={() => setAsked(null)}
          >
            {asked.uid === me
              ? billingTexts.leaveQuestion(account.friendlyName)
              : billingTexts.removeManagerQuestion(asked.displayName || asked.email, account.friendlyName)}
          </ConfirmDialog>
        )}
      </Suspense>
    </Modal>
  );
}

function AddManager({ accountId }: { accountId: string }) {
  const add = useAddManager(accountId);
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending) return;
    if (!isEmail(email)) return setProblem(commonTexts.invalidEmail);
    setProblem(null);
    add.mutate(email, { onSuccess: () => setEmail(''), onError: (error) => setProblem(messageOf(error)) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          type="email"
          autoComplete="off"
          aria-label={billingTexts.managerEmail}
          placeholder={billingTexts.managerEmail}
          value={email}
          error={problem}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setProblem(null);
          }}
        />
        <Button type="submit" loading={add.isPending}>
          {billingTexts.addManager}
        </Button>
      </Group>
    </form>
  );
}
