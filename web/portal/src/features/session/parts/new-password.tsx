/** A new password, typed twice; used by the sign-up dialog and the reset page. */
import { Stack, Text } from '@mantine/core';
import { ApiProblem, messageOf } from '@vitrine/api';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCountdown } from '~/shared/lib/countdown.ts';
import { WaitingButton } from '~/shared/ui/waiting-button.tsx';
import { passwordsDiffer } from '../model.ts';
import { sessionTexts } from '../texts.ts';
import { PasswordField } from './password-field.tsx';

interface NewPasswordProps {
  label: string;
  submit: string;
  busy: boolean;
  /** The last error; messages about the password are shown at its field. */
  refused: Error | null;
  /** Show other errors above the button; otherwise the caller shows them. */
  inline?: boolean;
  /** Tells password managers which account the password is for. */
  email?: string;
  onSubmit: (password: string, refused: (error: Error) => void) => void;
}

/** Submits only matching passwords; the server judges their strength. */
export function NewPassword({ label, submit, busy, refused, inline = false, email, onSubmit }: NewPasswordProps) {
  const [values, setValues] = useState({ password: '', again: '' });
  const [differ, setDiffer] = useState(false);
  // An error applies to what was submitted, so hide it once the input changes.
  const [edited, setEdited] = useState(false);
  const [wait, startWait] = useCountdown();
  const field = useRef<HTMLInputElement>(null);
  // The form is the only thing on its page or dialog.
  useEffect(() => field.current?.focus(), []);
  const problem = edited || busy ? null : refused;
  const ofField = problem instanceof ApiProblem ? problem.fields.password : undefined;
  const typed = (name: keyof typeof values) => (event: { currentTarget: { value: string } }) => {
    setValues({ ...values, [name]: event.currentTarget.value });
    setEdited(true);
    setDiffer(false);
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    const wrong = passwordsDiffer(values.password, values.again);
    setDiffer(wrong);
    if (wrong || wait > 0) return;
    setEdited(false);
    onSubmit(values.password, (error) => {
      if (!(error instanceof ApiProblem)) return;
      if (error.retryAfter !== null) startWait(error.retryAfter);
      if (error.fields.password !== undefined) field.current?.focus();
    });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        {email !== undefined && <input hidden readOnly name="username" autoComplete="username" value={email} />}
        <PasswordField
          ref={field}
          label={label}
          description={sessionTexts.passwordHint}
          autoComplete="new-password"
          data-autofocus
          value={values.password}
          error={ofField}
          onChange={typed('password')}
        />
        <PasswordField
          label={sessionTexts.confirmPassword}
          autoComplete="new-password"
          value={values.again}
          error={differ && sessionTexts.passwordsDiffer}
          onChange={typed('again')}
        />
        {inline && problem !== null && ofField === undefined && (
          <Text role="alert" c="var(--mantine-color-error)" fz="sm">
            {messageOf(problem)}
          </Text>
        )}
        <WaitingButton type="submit" loading={busy} wait={wait}>
          {submit}
        </WaitingButton>
      </Stack>
    </form>
  );
}
