/** Says that a link is on its way, and what to do if it is not. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import { sessionTexts } from '../texts.ts';

interface MagicLinkDialogProps {
  email: string;
  busy: boolean;
  onResend: () => void;
  onManual: () => void;
  onClose: () => void;
}

/** Shown after each link that was sent. */
export function MagicLinkDialog({ email, busy, onResend, onManual, onClose }: MagicLinkDialogProps) {
  return (
    <Modal opened onClose={onClose} title="Check your inbox" size="sm">
      <Stack gap="md">
        <Text>
          A magic link was e-mailed to <strong>{email}</strong>. Open it in this browser to go on.
        </Text>
        <Stack gap="xs">
          <Button onClick={onResend} loading={busy}>
            {sessionTexts.resendMagicLink}
          </Button>
          <Button variant="default" onClick={onManual}>
            {sessionTexts.signInManually}
          </Button>
        </Stack>
      </Stack>
    </Modal>
  );
}
