/** Where a magic link leads: it is redeemed once, with the address it was sent to. */
import { getRouteApi, Link } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { storage } from '~/shared/lib/storage.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { Sheet } from '~/shared/ui/sheet.tsx';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import { useRedeemMagicLink } from './calls.ts';
import { joinSearch, useContinue } from './continue.ts';
import { looksLikeEmail } from './model.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';

const route = getRouteApi('/authenticate');

/** /app/authenticate?code&joinCode */
export function AuthenticatePage() {
  const { code, joinCode } = route.useSearch();
  const [email, setEmail] = useState(() => storage.get('email'));
  const redeem = useRedeemMagicLink();
  const goOn = useContinue(joinCode);
  const started = useRef<string | null>(null);
  useTitle(SIGN_IN.title);

  const start = useEffectEvent((address: string) => {
    if (started.current === address) return;
    started.current = address;
    redeem.mutateAsync({ email: address, code: code ?? '' }).then(goOn, () => undefined);
  });
  useEffect(() => {
    if (email !== null) start(email);
  }, [email]);

  if (email === null) return <ConfirmEmail onEmail={setEmail} />;
  if (redeem.error !== null) {
    return (
      <Sheet title={SIGN_IN.failedTitle}>
        <p className={classes.error} role="alert">
          {messageOf(redeem.error)}
        </p>
        <Link to="/sign-in" search={joinSearch(joinCode)} className={buttonClass('primary', true)}>
          {SIGN_IN.newLink}
        </Link>
      </Sheet>
    );
  }
  return (
    <Sheet title={SIGN_IN.completing}>
      <Loading label={SIGN_IN.completing}>
        <Skeleton height="44px" />
      </Loading>
    </Sheet>
  );
}

function ConfirmEmail({ onEmail }: { onEmail: (email: string) => void }) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (looksLikeEmail(email)) onEmail(email.trim());
    else setError(SIGN_IN.invalidEmail);
  };
  return (
    <Sheet title={SIGN_IN.confirmEmail}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextField
          label={SIGN_IN.email}
          type="email"
          name="email"
          autoComplete="email"
          value={email}
          error={error}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" tone="primary" wide>
          {SIGN_IN.goOn}
        </Button>
      </form>
    </Sheet>
  );
}
