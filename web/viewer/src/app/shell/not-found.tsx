/** Shown for unknown addresses. */
import { Link } from '@tanstack/react-router';
import { OwnSheet } from '~/features/organisations/own-sheet.tsx';
import { useTitle } from '~/shared/lib/title.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { SHELL } from '../texts.ts';

export function NotFound() {
  useTitle(SHELL.notFound);
  return (
    <OwnSheet title={SHELL.notFoundTitle} lead={SHELL.notFoundText}>
      <Link to="/" className={buttonClass('plain', true)}>
        {SHELL.toPlaylists}
      </Link>
    </OwnSheet>
  );
}
