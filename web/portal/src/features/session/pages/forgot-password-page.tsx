/** /forgot-password: requests a reset link. */
import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiProblem } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { useCountdown } from '~/shared/lib/countdown.ts';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
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
      title={sessionTexts.forgotTitle}
      lead={sessionTexts.forgotLead}
      footer={
        <Anchor component={Link} to="/login" underline="always">
          {sessionTexts.backToSignIn}
        </Anchor>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={commonTexts.email}
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            placeholder={sessionTexts.emailPlaceholder}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <WaitingButton type="submit" loading={mutation.isPending} wait={wait}>
            {sessionTexts.sendResetLink}
          </WaitingButton>
          <div role="status">
            {mutation.isSuccess && (
              <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {sessionTexts.resetSentTo.before} <strong>{mutation.variables}</strong> {sessionTexts.resetSentTo.after}
              </Text>
            )}
          </div>
        </Stack>
      </form>
    </TaskPage>
  );
}
