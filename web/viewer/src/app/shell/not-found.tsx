/** An address the app does not know. */
import { Link } from '@tanstack/react-router';
import { useTitle } from '~/shared/lib/title.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { State } from '~/shared/ui/states.tsx';

/** The 404 screen. */
export function NotFound() {
  useTitle('Page not found');
  return (
    <main>
      <State icon="alert" title="This page does not exist" text="The address may be mistyped or out of date.">
        <Link to="/" className={buttonClass()}>
          Go to your playlists
        </Link>
      </State>
    </main>
  );
}
