/** Signing in with a password. */
import { codeOf } from '@vitrine/api';
import { type FormEvent, useState } from 'react';
import { errorText } from '~/shared/language.ts';
import { Button } from '~/shared/ui/button.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { usePasswordSignIn } from './calls.ts';
import { useContinue } from './continue.ts';
import { looksLikeEmail } from './model.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';

interface PasswordStepProps {
  joinCode: string | undefined;
  email: string;
  onBack: () => void;
}

/** A forgotten password needs no reset: the emailed link signs in as well. */
export function PasswordStep({ joinCode, email: typed, onBack }: PasswordStepProps) {
  const [email, setEmail] = useState(typed);
  const [password, setPassword] = useState('');
  const [checked, setChecked] = useState(false);
  const signIn = usePasswordSignIn();
  const goOn = useContinue(joinCode);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!looksLikeEmail(email) || password === '' || signIn.isPending) return;
    signIn.mutateAsync({ email: email.trim(), password }).then(goOn, () => undefined);
  };
  const refused = signIn.error === null ? undefined : errorText(signIn.error);
  const missing = checked && password === '' ? SIGN_IN.passwordMissing : undefined;
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextField
        label={SIGN_IN.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        error={checked && !looksLikeEmail(email) ? SIGN_IN.invalidEmail : undefined}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label={SIGN_IN.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        error={missing ?? refused}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button
        type="submit"
        tone={codeOf(signIn.error) === 'link_required' ? 'plain' : 'primary'}
        wide
        busy={signIn.isPending}
      >
        {SIGN_IN.title}
      </Button>
      <Button tone="quiet" wide onClick={onBack}>
        {SIGN_IN.passwordForgotten}
      </Button>
    </form>
  );
}
