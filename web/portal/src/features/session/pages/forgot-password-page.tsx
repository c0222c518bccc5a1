/** /forgot-password: asks for a reset link. */
import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiProblem } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { useCountdown } from '~/shared/lib/countdown.ts';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { isEmail } from '~/shared/lib/urls.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { WaitingButton } from '~/shared/ui/waiting-button.tsx';
import { useSendPasswordReset } from '../api/session-mutations.ts';
import { useHandedOverEmail } from '../parts/handed-over.ts';
import { sessionTexts } from '../texts.ts';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState(useHandedOverEmail());
  const [wait, startWait] = useCountdown();
  const mutation = useSendPasswordReset();
  const send = useOneAtATime(mutation);
  const slowed = (error: Error) => {
    if (error instanceof ApiProblem && error.retryAfter !== null) startWait(error.retryAfter);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmail(email) && wait === 0) send(email.trim(), { onError: slowed });
  };
  return (
    <TaskPage
      title="Forgot your password?"
      lead="We will e-mail you a link to choose a new one."
      footer={
        <Anchor component={Link} to="/login" underline="always">
          Back to sign in
        </Anchor>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            placeholder="you@company.com"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <WaitingButton type="submit" loading={mutation.isPending} wait={wait}>
            {sessionTexts.sendResetLink}
          </WaitingButton>
          <div role="status">
            {mutation.isSuccess && (
              <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                If <strong>{mutation.variables}</strong> has an account here, a link is on its way. It works once, for
                one hour.
              </Text>
            )}
          </div>
        </Stack>
      </form>
    </TaskPage>
  );
}
