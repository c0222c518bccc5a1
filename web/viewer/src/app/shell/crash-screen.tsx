/** Shown when a screen fails to render or to load. */
import { useRouter } from '@tanstack/react-router';
import { ApiProblem } from '@vitrine/api';
import { Button } from '~/shared/ui/button.tsx';
import { FailedState, State } from '~/shared/ui/states.tsx';
import { SHELL } from '../texts.ts';

/** A failed call can be retried; anything else needs a reload. */
export function CrashScreen({ error }: { error: unknown }) {
  const router = useRouter();
  return (
    <main>
      {error instanceof ApiProblem ? (
        <FailedState error={error} onRetry={() => void router.invalidate()} />
      ) : (
        <State icon="alert" title={SHELL.crashTitle} text={SHELL.crashText}>
          <Button onClick={() => window.location.reload()}>{SHELL.reload}</Button>
        </State>
      )}
    </main>
  );
}
