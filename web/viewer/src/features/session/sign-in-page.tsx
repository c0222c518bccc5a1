/** Sign-in: by an emailed link or code, by password, or with Google or Apple. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { BrandedSheet } from '~/features/organisations/branded-sheet.tsx';
import { lastBrand, type ShownOrganisation } from '~/features/organisations/last-brand.ts';
import { joinQuery } from '~/features/organisations/queries.ts';
import { profileQuery } from '~/features/profile/queries.ts';
import { errorText } from '~/shared/language.ts';
import { useBackCloses } from '~/shared/lib/back-closes.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';
import { Button } from '~/shared/ui/button.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { useSendMagicLink } from './calls.ts';
import { CodeStep } from './code-step.tsx';
import { useContinue } from './continue.ts';
import { looksLikeEmail } from './model.ts';
import { OtherWays } from './other-ways.tsx';
import { PasswordStep } from './password-step.tsx';
import { forgetSent, keepSent, keptSent, type SentEmail } from './sent-email.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';

const route = getRouteApi('/sign-in');

type Step = { name: 'email' } | { name: 'password' } | ({ name: 'code' } & SentEmail);

/** After a reload, the email is still on its way. */
function firstStep(joinCode: string | undefined): Step {
  const sent = keptSent(joinCode);
  return sent === null ? { name: 'email' } : { name: 'code', ...sent };
}

/** /app/sign-in */
export function SignInPage() {
  const { joinCode } = route.useSearch();
  const join = useQuery({ ...joinQuery(joinCode ?? ''), enabled: joinCode !== undefined });
  const [last] = useState(lastBrand);
  const organisation = joinCode === undefined ? last : join.data?.organisation;
  // Until something is typed, the invited address is filled in, which may arrive later than the page.
  const [typed, setTyped] = useState<string>();
  const email = typed ?? join.data?.invitedEmail ?? '';
  const [step, setStep] = useState(() => firstStep(joinCode));
  const back = () => {
    forgetSent();
    setStep({ name: 'email' });
  };
  useBackCloses(step.name !== 'email', back);
  const signedIn = useSignedIn();
  useTitle(SIGN_IN.title);
  // The brand may have been shown to another person than the one who is signed in now.
  if (signedIn) return <SignedInAlready joinCode={joinCode} organisation={join.data?.organisation} />;
  if (step.name === 'password') {
    return (
      <BrandedSheet organisation={organisation} title={SIGN_IN.passwordTitle}>
        <PasswordStep joinCode={joinCode} email={email} onBack={back} />
      </BrandedSheet>
    );
  }
  const onSent = (sent: SentEmail) => {
    keepSent(sent, joinCode);
    setStep({ name: 'code', ...sent });
  };
  if (step.name === 'code') {
    return (
      <BrandedSheet organisation={organisation} title={SIGN_IN.checkTitle} lead={SIGN_IN.checkLead(step.email)}>
        <CodeStep joinCode={joinCode} sent={step} onSent={onSent} onOther={back} />
      </BrandedSheet>
    );
  }
  const title = join.data === undefined ? SIGN_IN.title : SIGN_IN.joinTitle(join.data.organisation.name);
  return (
    <BrandedSheet organisation={organisation} title={title} lead={SIGN_IN.lead}>
      <EmailForm email={email} joinCode={joinCode} onType={setTyped} onSent={onSent} />
      <OtherWays joinCode={joinCode} onPassword={() => setStep({ name: 'password' })} />
    </BrandedSheet>
  );
}

interface EmailFormProps {
  email: string;
  joinCode: string | undefined;
  onType: (email: string) => void;
  onSent: (sent: SentEmail) => void;
}

function EmailForm({ email, joinCode, onType, onSent }: EmailFormProps) {
  const [error, setError] = useState<string>();
  const send = useSendMagicLink();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    setError(looksLikeEmail(address) ? undefined : SIGN_IN.invalidEmail);
    if (!looksLikeEmail(address)) return;
    send.mutate({ email: address, joinCode }, { onSuccess: () => onSent({ email: address, at: Date.now() }) });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextField
        label={SIGN_IN.email}
        type="email"
        name="email"
        autoComplete="email"
        inputMode="email"
        placeholder={SIGN_IN.emailPlaceholder}
        value={email}
        error={error}
        onChange={(event) => onType(event.target.value)}
      />
      <Button type="submit" tone="primary" wide busy={send.isPending}>
        {SIGN_IN.submit}
      </Button>
    </form>
  );
}

interface SignedInAlreadyProps {
  organisation: ShownOrganisation | undefined;
  joinCode: string | undefined;
}

/** Shown if the link was opened in another tab, or to people already signed in. */
function SignedInAlready({ organisation, joinCode }: SignedInAlreadyProps) {
  const goOn = useContinue(joinCode);
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    try {
      await goOn(await client.ensureQueryData(profileQuery));
    } catch (error) {
      showToast('failure', errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <BrandedSheet organisation={organisation} title={SIGN_IN.already}>
      <Button tone="primary" wide busy={busy} onClick={() => void onClick()}>
        {SIGN_IN.continue}
      </Button>
    </BrandedSheet>
  );
}
