/** Shown for unknown addresses. */
import { Link } from '@tanstack/react-router';
import { useTitle } from '~/shared/lib/title.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { State } from '~/shared/ui/states.tsx';
import { SHELL } from '../texts.ts';

export function NotFound() {
  useTitle(SHELL.notFound);
  return (
    <main>
      <State icon="alert" title={SHELL.notFoundTitle} text={SHELL.notFoundText}>
        <Link to="/" className={buttonClass()}>
          {SHELL.toPlaylists}
        </Link>
      </State>
    </main>
  );
}
