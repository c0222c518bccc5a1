/** The button that resends the confirmation email. */
import { Button, type ButtonProps } from '@mantine/core';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import type { useSendVerification } from '../api/methods.ts';
import { sessionTexts } from '../texts.ts';

interface SendVerificationButtonProps extends Pick<ButtonProps, 'size'> {
  mutation: ReturnType<typeof useSendVerification>;
}

/** Disabled once the email was sent. */
export function SendVerificationButton({ mutation, ...props }: SendVerificationButtonProps) {
  const send = useOneAtATime(mutation);
  return (
    <Button
      {...props}
      variant="default"
      loading={mutation.isPending}
      disabled={mutation.isSuccess}
      onClick={() => send(undefined)}
    >
      {sessionTexts.sendVerification}
    </Button>
  );
}
