/** Asks for confirmation before an action that cannot be undone. */
import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ownEscape } from '../lib/own-escape.ts';
import { useReturnFocus } from '../lib/return-focus.ts';
import { commonTexts } from '../lib/texts.ts';

interface ConfirmDialogProps {
  opened: boolean;
  children: ReactNode;
  /** Label of the confirming button. */
  action: string;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ opened, children, action, busy = false, onConfirm, onClose }: ConfirmDialogProps) {
  useReturnFocus();
  return (
    <Modal opened={opened} onClose={onClose} {...ownEscape(onClose)} title={commonTexts.confirmation} size="sm">
      <Text component="div" fz="md">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} disabled={busy}>
          {commonTexts.cancel}
        </Button>
        <Button color="red" onClick={onConfirm} loading={busy}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
