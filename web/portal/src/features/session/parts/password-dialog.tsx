/** Sign-in or sign-up with a password. */
import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiProblem, statusOf } from '@vitrine/api';
import { type FormEvent, useRef, useState } from 'react';
import { useCountdown } from '~/shared/lib/countdown.ts';
import { useOneAtATime } from '~/shared/lib/one-at-a-time.ts';
import { WaitingButton } from '~/shared/ui/waiting-button.tsx';
import { usePasswordSignIn, usePasswordSignUp } from '../api/session-mutations.ts';
import type { LinkAction } from '../model.ts';
import { sessionTexts } from '../texts.ts';
import { NewPassword } from './new-password.tsx';
import { PasswordField } from './password-field.tsx';

interface PasswordDialogProps {
  action: LinkAction;
  email: string;
  onClose: () => void;
}

/** One password to sign in, two matching ones to sign up. The email was typed on the page. */
export function PasswordDialog({ action, email, onClose }: PasswordDialogProps) {
  const isSignUp = action === 'signup';
  return (
    <Modal opened onClose={onClose} title={isSignUp ? sessionTexts.signUp : sessionTexts.signIn} size="sm">
      <Stack gap="md">
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {isSignUp ? sessionTexts.choosePasswordFor : sessionTexts.enterPasswordFor} <strong>{email}</strong>
        </Text>
        {isSignUp ? <SignUpForm email={email} /> : <SignInForm email={email} />}
      </Stack>
    </Modal>
  );
}

function SignUpForm({ email }: { email: string }) {
  const signUp = usePasswordSignUp();
  const send = useOneAtATime(signUp);
  return (
    <NewPassword
      label={sessionTexts.password}
      email={email}
      submit={sessionTexts.signUp}
      busy={signUp.isPending}
      refused={signUp.error}
      onSubmit={(password, refused) => send({ email, password }, { onError: refused })}
    />
  );
}

/** Statuses that say that the password is not that of the person. */
const refusals: readonly number[] = [400, 401];

function SignInForm({ email }: { email: string }) {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  // The toast says why; the field is only marked until it is edited.
  const [wrong, setWrong] = useState(false);
  const [wait, startWait] = useCountdown();
  const field = useRef<HTMLInputElement>(null);
  const signIn = usePasswordSignIn();
  const send = useOneAtATime(signIn);
  const slowed = statusOf(signIn.error) === 429 && !signIn.isPending ? signIn.error : null;
  const refused = (error: Error) => {
    if (error instanceof ApiProblem && error.retryAfter !== null) startWait(error.retryAfter);
    setWrong(refusals.includes(statusOf(error) ?? 0));
    field.current?.focus();
    field.current?.select();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(password === '');
    if (password !== '' && wait === 0) send({ email, password }, { onError: refused });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <input hidden readOnly name="username" autoComplete="username" value={email} />
        <PasswordField
          ref={field}
          label={sessionTexts.password}
          name="password"
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={missing ? sessionTexts.passwordMissing : wrong}
          onChange={(event) => {
            setWrong(false);
            setPassword(event.currentTarget.value);
          }}
        />
        {slowed !== null && (
          <Text role="alert" c="var(--mantine-color-error)" fz="sm">
            {slowed.message}
          </Text>
        )}
        <Anchor component={Link} to="/forgot-password" state={{ email }} fz="sm" w="fit-content">
          {sessionTexts.forgotPassword}
        </Anchor>
        <WaitingButton type="submit" loading={signIn.isPending} wait={wait}>
          {sessionTexts.login}
        </WaitingButton>
      </Stack>
    </form>
  );
}
