/** What to do when the server asks for a confirmed e-mail address first. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { codeOf, messageOf } from '@vitrine/api';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { useSendVerification } from '../api/methods.ts';
import { sessionTexts } from '../texts.ts';

/** Shows the server's sentence and sends the confirmation mail again; nothing for any other error. */
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
