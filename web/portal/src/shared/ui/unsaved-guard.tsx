/** Asks before a screen with unsaved changes is left, within the app or by closing the tab. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import { uiTexts } from './texts.ts';

export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const { status, proceed, reset } = useBlocker({
    // After signing out, nothing keeps the screen of the previous person.
    shouldBlockFn: ({ current, next }) => unsaved && session.token() !== null && current.pathname !== next.pathname,
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={uiTexts.leaveTitle} size="sm">
      <Text>{uiTexts.leaveQuestion}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" color="red" onClick={() => proceed?.()}>
          {uiTexts.leave}
        </Button>
        <Button data-autofocus onClick={() => reset?.()}>
          {uiTexts.stay}
        </Button>
      </Group>
    </Modal>
  );
}
