/** After the email was sent: enter its code, or wait for the link to be opened. */
import { type ChangeEvent, type FormEvent, useEffect, useState } from 'react';
import { errorText } from '~/shared/language.ts';
import { Button } from '~/shared/ui/button.tsx';
import { TextField } from '~/shared/ui/field.tsx';
import { useRedeemDigits, useSendMagicLink } from './calls.ts';
import { useContinue } from './continue.ts';
import { digitsOf, resendIn } from './model.ts';
import type { SentEmail } from './sent-email.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';

interface CodeStepProps {
  joinCode: string | undefined;
  sent: SentEmail;
  onSent: (sent: SentEmail) => void;
  onOther: () => void;
}

/** Six digits are sent as soon as they are complete. */
export function CodeStep({ joinCode, sent, onSent, onOther }: CodeStepProps) {
  const left = useSecondsLeft(sent.at);
  const [code, setCode] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const send = useSendMagicLink();
  const redeem = useRedeemDigits();
  const goOn = useContinue(joinCode);
  const enter = (digits: string) => {
    setIncomplete(digits.length !== 6);
    if (digits.length !== 6 || redeem.isPending) return;
    redeem.mutateAsync({ email: sent.email, code: digits }).then(goOn, () => undefined);
  };
  const onType = (event: ChangeEvent<HTMLInputElement>) => {
    const digits = digitsOf(event.target.value);
    setCode(digits);
    setIncomplete(false);
    if (digits.length === 6 && digits !== code) enter(digits);
    else if (redeem.isError) redeem.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    enter(code);
  };
  const resend = () =>
    send.mutate({ email: sent.email, joinCode }, { onSuccess: () => onSent({ email: sent.email, at: Date.now() }) });
  const refused = redeem.error === null ? undefined : errorText(redeem.error);
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextField
        label={SIGN_IN.code}
        name="code"
        className={classes.code ?? ''}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        value={code}
        error={incomplete ? SIGN_IN.codeIncomplete : refused}
        onChange={onType}
      />
      <Button type="submit" tone="primary" wide busy={redeem.isPending}>
        {SIGN_IN.enterCode}
      </Button>
      <Button wide busy={send.isPending} disabled={left > 0} onClick={resend}>
        {left > 0 ? SIGN_IN.resendIn(left) : SIGN_IN.resend}
      </Button>
      <Button tone="quiet" wide onClick={onOther}>
        {SIGN_IN.otherEmail}
      </Button>
    </form>
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
