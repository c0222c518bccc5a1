/** Invites viewers by typed addresses or by a CSV file. */
import { Button, Group, Modal, Progress, Stack, Text, Textarea } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import type { InvitedOut } from '@vitrine/api';
import { type FormEvent, useRef, useState } from 'react';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { FileInput } from '~/shared/ui/file-input.tsx';
import { toastSuccess } from '~/shared/ui/toasts.ts';
import { useInviteViewers } from '../api/member-mutations.ts';
import { addressesIn, addressesInCsv } from '../model.ts';
import { memberTexts } from '../texts.ts';
import { RefusedList } from './refused-list.tsx';

/** Largest CSV file that is read. */
const FILE_MAX = 5 * 1024 * 1024;

interface InviteViewersModalProps {
  orgId: string;
  onClose: () => void;
}

export function InviteViewersModal({ orgId, onClose }: InviteViewersModalProps) {
  useReturnFocus();
  const [emails, setEmails] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [refused, setRefused] = useState<InvitedOut[]>([]);
  /** How many of the last addresses were invited, if not all were. */
  const [inPart, setInPart] = useState('');
  const [progress, setProgress] = useState({ done: 0, all: 0 });
  const file = useRef<HTMLInputElement>(null);
  const stop = useRef(new AbortController());
  const invite = useInviteViewers(orgId);
  const addresses = addressesIn(emails);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(addresses.length === 0 ? memberTexts.viewersNeeded : null);
    if (addresses.length === 0 || invite.isPending) return;
    setRefused([]);
    setInPart('');
    setProgress({ done: 0, all: addresses.length });
    const answered: InvitedOut[] = [];
    const failed = () => answered.filter(({ uid }) => typeof uid !== 'string');
    const onAnswers = (answers: InvitedOut[]) => {
      answered.push(...answers);
      setProgress({ done: answered.length, all: addresses.length });
    };
    stop.current = new AbortController();
    const { signal } = stop.current;
    // A failure is shown by a toast.
    await invite.mutateAsync({ userEmails: addresses, onAnswers, signal }).catch(() => undefined);
    const sent = answered.length - failed().length;
    if (sent === addresses.length) {
      toastSuccess(memberTexts.viewersSent(sent));
      return onClose();
    }
    if (sent > 0) setInPart(memberTexts.viewersSentInPart(sent, addresses.length));
    // What was not sent stays, to be corrected or sent again.
    setEmails([...failed().map(({ userEmail }) => userEmail), ...addresses.slice(answered.length)].join('\n'));
    setRefused(failed());
  };
  const read = async (chosen: File) => {
    if (chosen.size > FILE_MAX) return setProblem(memberTexts.csvTooLarge);
    try {
      const found = addressesInCsv(await chosen.text());
      setProblem(found.length === 0 ? memberTexts.csvEmpty(chosen.name) : null);
      if (found.length > 0) setEmails((typed) => [...new Set([...addressesIn(typed), ...found])].join('\n'));
    } catch {
      setProblem(memberTexts.csvUnreadable(chosen.name));
    }
  };
  // The answers are shown here, so they are waited for.
  const close = () => {
    if (!invite.isPending) onClose();
  };
  const percent = progress.all === 0 ? 0 : Math.round((progress.done / progress.all) * 100);
  return (
    <Modal opened onClose={close} title={memberTexts.inviteViewers} size="md">
      <form onSubmit={(event) => void send(event)} noValidate>
        <Stack gap="md">
          <Text c="dimmed" fz="sm">
            {memberTexts.inviteViewersLead}
          </Text>
          <Textarea
            label={memberTexts.inviteEmails}
            description={memberTexts.viewersHint}
            autosize
            minRows={3}
            maxRows={8}
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            value={emails}
            error={problem}
            readOnly={invite.isPending}
            onChange={(event) => {
              setEmails(event.currentTarget.value);
              setProblem(null);
            }}
            data-autofocus
          />
          {inPart !== '' && (
            <Text role="status" fz="sm" fw={550}>
              {inPart}
            </Text>
          )}
          <RefusedList title={memberTexts.viewersNotInvited(refused.length)} refused={refused} />
          {invite.isPending && (
            <Group gap="sm" wrap="nowrap">
              <Progress value={percent} aria-label={memberTexts.viewersProgressLabel} flex={1} />
              <Text c="dimmed" fz="xs" className="tabular">
                {memberTexts.viewersProgress(progress.done, progress.all)}
              </Text>
              <Button variant="default" size="xs" onClick={() => stop.current.abort()}>
                {memberTexts.stop}
              </Button>
            </Group>
          )}
          <Group justify="space-between" gap="xs">
            <Button
              variant="default"
              leftSection={<IconFileTypeCsv size={16} stroke={1.7} />}
              disabled={invite.isPending}
              onClick={() => file.current?.click()}
            >
              {memberTexts.chooseCsv}
            </Button>
            <FileInput
              ref={file}
              label={memberTexts.csvLabel}
              accept=".csv,.txt,text/csv"
              onFile={(f) => void read(f)}
            />
            <Group gap="sm" ml="auto">
              <Text c="dimmed" fz="sm" className="tabular" role="status">
                {addresses.length === 0 ? '' : memberTexts.viewerCount(addresses.length)}
              </Text>
              <Button type="submit" loading={invite.isPending}>
                {memberTexts.inviteSend}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
