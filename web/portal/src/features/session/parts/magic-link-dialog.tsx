/** Confirms that a link was sent, with alternatives if it does not arrive. */
import { Button, FocusTrap, Modal, Stack, Text } from '@mantine/core';
import { WaitingButton } from '~/shared/ui/waiting-button.tsx';
import { sessionTexts } from '../texts.ts';

interface MagicLinkDialogProps {
  email: string;
  busy: boolean;
  /** Seconds until another link may be sent. */
  wait: number;
  onResend: () => void;
  onManual: () => void;
  onClose: () => void;
}

/** Shown after each sent link. */
export function MagicLinkDialog({ email, busy, wait, onResend, onManual, onClose }: MagicLinkDialogProps) {
  return (
    <Modal opened onClose={onClose} title={sessionTexts.checkInbox} size="sm">
      {/* Keep focus off the buttons: the Enter that submitted the form would press one. */}
      <FocusTrap.InitialFocus />
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          {sessionTexts.linkSentTo} <strong>{email}</strong>. {sessionTexts.linkSentHint}
        </Text>
        <Stack gap="xs">
          <WaitingButton onClick={onResend} loading={busy} wait={wait}>
            {sessionTexts.resendMagicLink}
          </WaitingButton>
          <Button variant="default" onClick={onManual}>
            {sessionTexts.signInManually}
          </Button>
        </Stack>
      </Stack>
    </Modal>
  );
}
