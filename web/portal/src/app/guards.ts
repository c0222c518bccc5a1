/** Who may open a route before anything of it is loaded. */
import { redirect } from '@tanstack/react-router';
import { rememberRedirect } from '~/features/session/model.ts';
import { session } from '~/shared/api/session.ts';

/** Sign-in screens send somebody who is signed in to the root. */
export function publicOnly(): void {
  if (session.token() !== null) throw redirect({ to: '/' });
}

/** The landing of a magic link does the same only when no link is being completed (C-20). */
export function landing(code: string): void {
  if (code === '') publicOnly();
}

/** Everything else remembers where an anonymous person wanted to go and asks to sign in. */
export function signedInOnly({ location }: { location: { href: string } }): void {
  if (session.token() !== null) return;
  rememberRedirect(location.href);
  throw redirect({ to: '/login' });
}
