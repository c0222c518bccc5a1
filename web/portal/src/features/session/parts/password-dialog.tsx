/** Signing in or up with a password. */
import { Anchor, Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { SessionOut } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { isEmail } from '~/shared/lib/urls.ts';
import { usePasswordSignIn, usePasswordSignUp } from '../api/session-mutations.ts';
import { type LinkAction, needsOnboarding, ONBOARDING, takeRedirect } from '../model.ts';
import { sessionTexts } from '../texts.ts';

interface PasswordDialogProps {
  action: LinkAction;
  email: string;
  onClose: () => void;
}

/** One password to sign in; twice the same to sign up. */
export function PasswordDialog({ action, email, onClose }: PasswordDialogProps) {
  const isSignUp = action === 'signup';
  return (
    <Modal opened onClose={onClose} title={isSignUp ? sessionTexts.signUp : sessionTexts.signIn} size="sm">
      <PasswordForm isSignUp={isSignUp} email={email} />
    </Modal>
  );
}

function PasswordForm({ isSignUp, email }: { isSignUp: boolean; email: string }) {
  const navigate = useNavigate();
  const [values, setValues] = useState({ email, password: '', again: '' });
  const [error, setError] = useState('');
  const signIn = usePasswordSignIn();
  const signUp = usePasswordSignUp();
  const set = (name: keyof typeof values) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [name]: event.currentTarget.value });
  const go = (signedIn: SessionOut) =>
    navigate({ href: isSignUp || needsOnboarding(signedIn) ? ONBOARDING : takeRedirect() });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmail(values.email) || values.password === '') return;
    if (isSignUp && values.password !== values.again) return setError(sessionTexts.passwordsDiffer);
    setError('');
    const call = isSignUp ? signUp : signIn;
    call.mutate({ email: values.email.trim(), password: values.password }, { onSuccess: go });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput label="E-mail" type="email" autoComplete="username" value={values.email} onChange={set('email')} />
        <PasswordInput
          label="Password"
          autoComplete={isSignUp ? 'new-password' : 'current-password'}
          value={values.password}
          onChange={set('password')}
        />
        {isSignUp && (
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            value={values.again}
            error={error}
            onChange={set('again')}
          />
        )}
        {!isSignUp && (
          <Anchor component={Link} to="/forgot-password" fz="sm">
            {sessionTexts.forgotPassword}
          </Anchor>
        )}
        <Button type="submit" loading={signIn.isPending || signUp.isPending}>
          {isSignUp ? sessionTexts.signUp : sessionTexts.login}
        </Button>
      </Stack>
    </form>
  );
}
