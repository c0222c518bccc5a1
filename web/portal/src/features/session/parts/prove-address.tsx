/** Shown when the server requires a confirmed email address. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { codeOf, messageOf } from '@vitrine/api';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { useSendVerification } from '../api/methods.ts';
import { sessionTexts } from '../texts.ts';

/** Shows the server's message and offers to resend the email; renders nothing for any other error. */
export function ProveAddress({ error }: { error: unknown }) {
  const mutation = useSendVerification();
  const send = useOneAtATime(mutation);
  if (codeOf(error) !== 'email_unproved') return null;
  return (
    <Alert color="yellow" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text>{messageOf(error)}</Text>
        <Button
          size="xs"
          variant="default"
          loading={mutation.isPending}
          disabled={mutation.isSuccess}
          onClick={() => send(undefined)}
        >
          {sessionTexts.sendVerification}
        </Button>
      </Stack>
    </Alert>
  );
}
