/** Sign-in by magic link: enter the email, then wait for the message. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { messageOf } from '@vitrine/api';
import { Logo } from '@vitrine/brand/logo';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { BrandScope } from '~/features/organisations/brand-scope.tsx';
import { joinQuery } from '~/features/organisations/queries.ts';
import { profileQuery } from '~/features/profile/queries.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';
import { Button } from '~/shared/ui/button.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { Sheet } from '~/shared/ui/sheet.tsx';
import { showToast } from '~/shared/ui/toasts.ts';
import { useSendMagicLink } from './calls.ts';
import { useContinue } from './continue.ts';
import { looksLikeEmail, resendIn } from './model.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';

const route = getRouteApi('/sign-in');

/** /app/sign-in */
export function SignInPage() {
  const { joinCode } = route.useSearch();
  const join = useQuery({ ...joinQuery(joinCode ?? ''), enabled: joinCode !== undefined });
  const organisation = join.data?.organisation;
  const invited = join.data?.invitedEmail ?? undefined;
  const signedIn = useSignedIn();
  const [sent, setSent] = useState<{ email: string; at: number } | null>(null);
  useTitle(SIGN_IN.title);
  const head = organisation ? (
    <>
      <Logo name={organisation.name} url={organisation.logoUrl} />
      <span>{organisation.name}</span>
    </>
  ) : undefined;
  return (
    <BrandScope theme={organisation?.theme}>
      {signedIn ? (
        <SignedInAlready head={head} joinCode={joinCode} />
      ) : sent === null ? (
        <AskForEmail head={head} joinCode={joinCode} name={organisation?.name} invited={invited} onSent={setSent} />
      ) : (
        <CheckYourMail head={head} joinCode={joinCode} sent={sent} onSent={setSent} onOther={() => setSent(null)} />
      )}
    </BrandScope>
  );
}

interface StepProps {
  head: ReactNode;
  joinCode: string | undefined;
}
type OnSent = (sent: { email: string; at: number }) => void;

interface AskProps extends StepProps {
  name: string | undefined;
  invited: string | undefined;
  onSent: OnSent;
}

function AskForEmail({ head, joinCode, name, invited, onSent }: AskProps) {
  // Until something is typed, the invited address is filled in, which may arrive later than the page.
  const [typed, setTyped] = useState<string>();
  const email = typed ?? invited ?? '';
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
    <Sheet title={name === undefined ? SIGN_IN.title : SIGN_IN.joinTitle(name)} lead={SIGN_IN.lead} head={head}>
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
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" tone="primary" wide busy={send.isPending}>
          {SIGN_IN.submit}
        </Button>
      </form>
    </Sheet>
  );
}

interface CheckProps extends StepProps {
  sent: { email: string; at: number };
  onSent: OnSent;
  onOther: () => void;
}

function CheckYourMail({ head, joinCode, sent, onSent, onOther }: CheckProps) {
  const left = useSecondsLeft(sent.at);
  const send = useSendMagicLink();
  const resend = () =>
    send.mutate({ email: sent.email, joinCode }, { onSuccess: () => onSent({ email: sent.email, at: Date.now() }) });
  return (
    <Sheet title={SIGN_IN.checkTitle} lead={SIGN_IN.checkLead(sent.email)} head={head}>
      <div className={classes.form}>
        <Button wide busy={send.isPending} disabled={left > 0} onClick={resend}>
          {left > 0 ? SIGN_IN.resendIn(left) : SIGN_IN.resend}
        </Button>
        <Button tone="quiet" wide onClick={onOther}>
          {SIGN_IN.otherEmail}
        </Button>
      </div>
    </Sheet>
  );
}

/** Shown if the link was opened in another tab, or to people already signed in. */
function SignedInAlready({ head, joinCode }: StepProps) {
  const goOn = useContinue(joinCode);
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const onClick = async () => {
    setBusy(true);
    try {
      await goOn(await client.ensureQueryData(profileQuery));
    } catch (error) {
      showToast('failure', messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Sheet title={SIGN_IN.already} head={head}>
      <Button tone="primary" wide busy={busy} onClick={() => void onClick()}>
        {SIGN_IN.continue}
      </Button>
    </Sheet>
  );
}

function useSecondsLeft(sentAt: number): number {
  const [now, setNow] = useState(sentAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return resendIn(sentAt, Math.max(now, sentAt));
}
