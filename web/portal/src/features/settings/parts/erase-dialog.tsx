/** Asks for the email address before an account is erased, and explains what has to be handed over or ended first. */
import { Alert, Anchor, Button, Group, List, Modal, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { codeOf, messageOf } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { ownEscape } from '~/shared/lib/own-escape.ts';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { isHeld, useEraseAccount } from '../api/own-data.ts';
import { settingsTexts } from '../texts.ts';

export function EraseDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus();
  const profile = useQuery(profileQuery);
  const erase = useEraseAccount();
  const [typed, setTyped] = useState('');
  const own = profile.data?.email ?? '';
  const same = own !== '' && typed.trim().toLowerCase() === own.toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (same && !erase.isPending) erase.mutate(typed.trim());
  };
  return (
    <Modal opened onClose={onClose} {...ownEscape(onClose)} title={settingsTexts.eraseTitle} size="md">
      <form onSubmit={submit}>
        <Text mb="xs">{settingsTexts.eraseWhat}</Text>
        <List fz="sm" mb="md" spacing={4}>
          {settingsTexts.eraseDetails.map((detail) => (
            <List.Item key={detail}>{detail}</List.Item>
          ))}
        </List>
        {erase.isError && isHeld(erase.error) && <Held error={erase.error} />}
        <TextInput
          type="email"
          autoComplete="off"
          data-autofocus
          label={settingsTexts.eraseConfirm(own)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={onClose} disabled={erase.isPending}>
            {commonTexts.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!same} loading={erase.isPending}>
            {settingsTexts.eraseAction}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** The server names what stands in the way; the link leads to where it is handed over or ended. */
function Held({ error }: { error: unknown }) {
  const manager = codeOf(error) === 'sole_manager';
  return (
    <Alert color="yellow" role="alert" mb="md" title={settingsTexts.eraseHeld}>
      <Text fz="sm">{messageOf(error)}</Text>
      <Text fz="sm" mt={4}>
        {manager ? settingsTexts.eraseManager : settingsTexts.eraseAdmin}{' '}
        <Anchor component={Link} to={manager ? '/billing' : '/'} fz="sm" underline="always">
          {manager ? settingsTexts.openBilling : settingsTexts.openOrganisation}
        </Anchor>
      </Text>
    </Alert>
  );
}
