/** Invites people to the staff. */
import { Alert, Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type InvitedOut, messageOf, type Role } from '@vitrine/api';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { organisationQuery } from '~/features/orgs/api/org-queries.ts';
import { roleLabels } from '~/features/orgs/roles.ts';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { toastSuccess } from '~/shared/ui/toasts.ts';
import { useInvite } from '../api/member-mutations.ts';
import { addressesIn, addressesProblem } from '../model.ts';
import { memberTexts } from '../texts.ts';
import { RefusedList } from './refused-list.tsx';

interface InviteModalProps {
  orgId: string;
  onClose: () => void;
}

export function InviteModal({ orgId, onClose }: InviteModalProps) {
  useReturnFocus();
  const organisation = useQuery(organisationQuery(orgId));
  const assignable = organisation.data?.assignableRoles ?? [];
  const [emails, setEmails] = useState('');
  const [chosen, setChosen] = useState<Role | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [refused, setRefused] = useState<InvitedOut[]>([]);
  const [sent, setSent] = useState(0);
  const invite = useInvite(orgId);
  // The heaviest role comes first.
  const role = chosen ?? assignable[0];

  const answered = (answers: InvitedOut[]) => {
    const failed = answers.filter(({ uid }) => uid === null || uid === undefined);
    const delivered = answers.length - failed.length;
    if (failed.length === 0) {
      toastSuccess(delivered === 1 ? memberTexts.inviteSent : memberTexts.inviteMany(delivered));
      return onClose();
    }
    // What was not sent stays, to be corrected.
    setEmails(failed.map(({ userEmail }) => userEmail).join('\n'));
    setRefused(failed);
    setSent(delivered);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    const found = addressesProblem(emails);
    setProblem(found);
    setRefused([]);
    if (found !== null || role === undefined || invite.isPending) return;
    invite.mutate({ userEmails: addressesIn(emails), role }, { onSuccess: answered });
  };
  // The answers are shown here, so they are waited for.
  const close = () => {
    if (!invite.isPending) onClose();
  };
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
  };
  return (
    <Modal opened onClose={close} title={memberTexts.inviteAdmin} size="md">
      <form onSubmit={send} noValidate>
        <Stack gap="md">
          <Alert
            role="note"
            color="yellow"
            icon={<IconAlertTriangle size={20} stroke={1.7} />}
            title={memberTexts.inviteWarning}
          >
            {memberTexts.inviteWarningDetail}
          </Alert>
          <Textarea
            label={memberTexts.inviteEmails}
            description={memberTexts.inviteEmailsHint}
            autosize
            minRows={1}
            maxRows={6}
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            value={emails}
            error={problem}
            onChange={(event) => {
              setEmails(event.currentTarget.value);
              setProblem(null);
            }}
            onKeyDown={sendOnEnter}
            data-autofocus
          />
          <Select
            label={memberTexts.inviteRole}
            data={assignable.map((value) => ({ value, label: roleLabels[value] }))}
            value={role ?? null}
            onChange={(value) => setChosen(value as Role | null)}
            allowDeselect={false}
            disabled={assignable.length === 0}
            checkIconPosition="right"
          />
          {organisation.isError && (
            <ErrorState message={messageOf(organisation.error)} onRetry={() => void organisation.refetch()} />
          )}
          <RefusedList
            title={sent === 0 ? memberTexts.inviteNotSent : memberTexts.inviteSentInPart(sent, sent + refused.length)}
            refused={refused}
          />
          <Group justify="flex-end" gap="xs">
            <Button type="submit" loading={invite.isPending} disabled={role === undefined}>
              {memberTexts.inviteSend}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
