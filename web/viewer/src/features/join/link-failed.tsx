/** A joining link that is not valid, or could not be loaded. */
import { Link } from '@tanstack/react-router';
import { statusOf } from '@vitrine/api';
import { OwnSheet } from '~/features/organisations/own-sheet.tsx';
import { useSignedIn } from '~/shared/session.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { FailedState } from '~/shared/ui/states.tsx';
import { JOIN } from './texts.ts';

export function LinkFailed({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (statusOf(error) === 404) return <InvalidLink />;
  return (
    <main>
      <FailedState error={error} onRetry={onRetry} />
    </main>
  );
}

function InvalidLink() {
  const signedIn = useSignedIn();
  return (
    <OwnSheet title={JOIN.invalidTitle} lead={JOIN.invalidText}>
      <Link to={signedIn ? '/' : '/sign-in'} className={buttonClass('plain', true)}>
        {signedIn ? JOIN.toApp : JOIN.signIn}
      </Link>
    </OwnSheet>
  );
}
