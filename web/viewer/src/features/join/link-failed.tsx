/** A joining link that is not valid, or could not be loaded. */
import { Link } from '@tanstack/react-router';
import { statusOf } from '@vitrine/api';
import { useSignedIn } from '~/shared/session.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { FailedState, State } from '~/shared/ui/states.tsx';
import { JOIN } from './texts.ts';

export function LinkFailed({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return statusOf(error) === 404 ? <InvalidLink /> : <FailedState error={error} onRetry={onRetry} />;
}

function InvalidLink() {
  const signedIn = useSignedIn();
  return (
    <State icon="link" title={JOIN.invalidTitle} text={JOIN.invalidText}>
      {signedIn ? (
        <Link to="/" className={buttonClass()}>
          {JOIN.toApp}
        </Link>
      ) : null}
    </State>
  );
}
