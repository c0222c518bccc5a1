/** Shown when the server requires a confirmed email address. */
import { Alert, Stack, Text } from '@mantine/core';
import { codeOf, messageOf } from '@vitrine/api';
import { useSendVerification } from '../api/methods.ts';
import { SendVerificationButton } from './send-verification-button.tsx';

/** Shows the server's message and offers to resend the email; renders nothing for any other error. */
export function VerifyAddress({ error }: { error: unknown }) {
  const mutation = useSendVerification();
  if (codeOf(error) !== 'email_unproved') return null;
  return (
    <Alert color="yellow" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text>{messageOf(error)}</Text>
        <SendVerificationButton mutation={mutation} size="xs" />
      </Stack>
    </Alert>
  );
}
