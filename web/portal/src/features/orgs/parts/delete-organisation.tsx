/** A dialog that deletes one of a billing account's organisations, after its name was typed. */
import { Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { configQuery } from '~/shared/api/config.ts';
import { session } from '~/shared/api/session.ts';
import { dateOf } from '~/shared/lib/format.ts';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { useDeleteOrganisation } from '../api/deletion-queries.ts';
import { deletionTexts } from './texts.ts';

/** How long a deleted organisation can be restored. */
const RESTORABLE_MS = 30 * 24 * 3_600_000;

interface DeleteOrganisationProps {
  /** At least one. */
  organisations: readonly { uid: string; name: string }[];
  onClose: () => void;
}

export function DeleteOrganisation({ organisations, onClose }: DeleteOrganisationProps) {
  useReturnFocus();
  const isFree = useQuery(configQuery).data?.billing === 'none';
  const remove = useDeleteOrganisation();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(organisations[0]?.uid);
  const [typed, setTyped] = useState('');
  const [differs, setDiffers] = useState(false);
  const [cancelPlan, setCancelPlan] = useState(false);
  const [until] = useState(() => new Date(session.now() + RESTORABLE_MS).toISOString());
  const organisation = organisations.find(({ uid }) => uid === chosen);
  if (organisation === undefined) return null;
  const { name } = organisation;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (remove.isPending || remove.isSuccess) return;
    setDiffers(typed.trim() !== name.trim());
    if (typed.trim() !== name.trim()) return;
    // The start leads to another organisation, or to the page for people without one.
    remove.mutate({ orgId: organisation.uid, name, cancelPlan }, { onSuccess: () => void navigate({ to: '/' }) });
  };
  const problem = differs ? deletionTexts.differs : remove.isError ? messageOf(remove.error) : null;
  return (
    <Modal opened onClose={onClose} title={deletionTexts.deleteOrganisation}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {organisations.length > 1 && (
            <Select
              label={deletionTexts.chooseOrganisation}
              allowDeselect={false}
              value={organisation.uid}
              data={organisations.map((one) => ({ value: one.uid, label: one.name }))}
              onChange={(uid) => {
                if (uid !== null) setChosen(uid);
                setDiffers(false);
                remove.reset();
              }}
            />
          )}
          <Text>{deletionTexts.lead(name)}</Text>
          <Text>{deletionTexts.until(dateOf(until))}</Text>
          <TextInput
            label={deletionTexts.confirm(name)}
            autoComplete="off"
            value={typed}
            error={problem}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setDiffers(false);
            }}
          />
          {!isFree && (
            <Checkbox
              label={deletionTexts.cancelPlan}
              description={deletionTexts.cancelHint}
              checked={cancelPlan}
              onChange={(event) => setCancelPlan(event.currentTarget.checked)}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose} disabled={remove.isPending}>
              {commonTexts.cancel}
            </Button>
            <Button type="submit" color="red" loading={remove.isPending || remove.isSuccess}>
              {deletionTexts.deleteOrganisation}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
