/** /forgot-password: asks for a reset link. */
import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { isEmail } from '~/shared/lib/urls.ts';
import { TaskPage } from '~/shared/ui/task-page.tsx';
import { useSendPasswordReset } from '../api/session-mutations.ts';
import { sessionTexts } from '../texts.ts';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const send = useSendPasswordReset();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmail(email)) send.mutate(email.trim());
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
            autoComplete="email"
            placeholder="you@company.com"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" loading={send.isPending}>
            {sessionTexts.sendResetLink}
          </Button>
        </Stack>
      </form>
    </TaskPage>
  );
}
