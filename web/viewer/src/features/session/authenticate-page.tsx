/** The landing page of a magic link: redeems it once, with the address it was sent to. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { codeOf } from '@vitrine/api';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { BrandedSheet } from '~/features/organisations/branded-sheet.tsx';
import { lastBrand, type ShownOrganisation } from '~/features/organisations/last-brand.ts';
import { joinQuery } from '~/features/organisations/queries.ts';
import { errorText } from '~/shared/language.ts';
import { storage } from '~/shared/lib/storage.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { Button, buttonClass } from '~/shared/ui/button.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import { useRedeemMagicLink } from './calls.ts';
import { joinSearch, useContinue } from './continue.ts';
import { isPassing, looksLikeEmail } from './model.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';

const route = getRouteApi('/authenticate');

/** /app/authenticate?code&joinCode: a wrong address does not use up the link, so another can be tried. */
export function AuthenticatePage() {
  const { code, joinCode } = route.useSearch();
  const join = useQuery({ ...joinQuery(joinCode ?? ''), enabled: joinCode !== undefined });
  const [last] = useState(lastBrand);
  const brand = { organisation: joinCode === undefined ? last : join.data?.organisation };
  const [email, setEmail] = useState(() => storage.get('email'));
  const redeem = useRedeemMagicLink();
  const goOn = useContinue(joinCode);
  const started = useRef<string | null>(null);
  useTitle(SIGN_IN.title);

  const send = (address: string) => {
    started.current = address;
    redeem.mutateAsync({ email: address, code: code ?? '' }).then(goOn, () => undefined);
  };
  const start = useEffectEvent((address: string) => {
    if (started.current !== address) send(address);
  });
  useEffect(() => {
    if (email !== null) start(email);
  }, [email]);

  if (email === null) return <ConfirmEmail {...brand} onEmail={setEmail} />;
  if (redeem.error !== null && isPassing(redeem.error)) {
    return (
      <BrandedSheet {...brand} title={SIGN_IN.notSignedIn}>
        <p className={classes.error} role="alert">
          {codeOf(redeem.error) === 'network' ? SIGN_IN.unreachable : errorText(redeem.error)}
        </p>
        <Button tone="primary" wide onClick={() => send(email)}>
          {SIGN_IN.retry}
        </Button>
      </BrandedSheet>
    );
  }
  if (redeem.error !== null) {
    const onOther = () => {
      started.current = null;
      redeem.reset();
      setEmail(null);
    };
    return (
      <BrandedSheet {...brand} title={SIGN_IN.failedTitle}>
        <p className={classes.error} role="alert">
          {errorText(redeem.error)}
        </p>
        <div className={classes.form}>
          <Link to="/sign-in" search={joinSearch(joinCode)} className={buttonClass('primary', true)}>
            {SIGN_IN.newLink}
          </Link>
          <Button wide onClick={onOther}>
            {SIGN_IN.otherEmail}
          </Button>
        </div>
      </BrandedSheet>
    );
  }
  return (
    <BrandedSheet {...brand} title={SIGN_IN.completing}>
      <Loading label={SIGN_IN.completing}>
        <Skeleton height="44px" />
      </Loading>
    </BrandedSheet>
  );
}

interface ConfirmEmailProps {
  organisation: ShownOrganisation | undefined;
  onEmail: (email: string) => void;
}

function ConfirmEmail({ organisation, onEmail }: ConfirmEmailProps) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (looksLikeEmail(email)) onEmail(email.trim());
    else setError(SIGN_IN.invalidEmail);
  };
  return (
    <BrandedSheet organisation={organisation} title={SIGN_IN.confirmEmail}>
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
          {SIGN_IN.continue}
        </Button>
      </form>
    </BrandedSheet>
  );
}
