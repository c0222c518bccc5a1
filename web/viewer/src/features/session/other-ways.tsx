/** The ways to sign in without an email: a password, Google, Apple. */
import { Button } from '~/shared/ui/button.tsx';
import { useContinue } from './continue.ts';
import classes from './session.module.css';
import { SIGN_IN } from './texts.ts';
import { useProviderSignIn } from './use-provider-sign-in.ts';

interface OtherWaysProps {
  joinCode: string | undefined;
  onPassword: () => void;
}

/** A provider that is not set up on the server keeps its button and fails with its message. */
export function OtherWays({ joinCode, onPassword }: OtherWaysProps) {
  const goOn = useContinue(joinCode);
  const { start, waitingFor, busy } = useProviderSignIn((profile) => void goOn(profile));
  return (
    <div className={classes.ways}>
      <p className={classes.or}>{SIGN_IN.or}</p>
      <Button wide busy={busy} onClick={() => start('google')}>
        {SIGN_IN.withGoogle}
      </Button>
      <Button wide busy={busy} onClick={() => start('apple')}>
        {SIGN_IN.withApple}
      </Button>
      <Button tone="quiet" wide onClick={onPassword}>
        {SIGN_IN.withPassword}
      </Button>
      <p role="status" className={classes.hint}>
        {waitingFor === null ? '' : SIGN_IN.continueIn(waitingFor === 'google' ? 'Google' : 'Apple')}
      </p>
    </div>
  );
}
