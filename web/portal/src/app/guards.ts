/** Guards that run before a route is loaded. */
import { redirect } from '@tanstack/react-router';
import { rememberRedirect } from '~/features/session/model.ts';
import { session } from '~/shared/api/session.ts';

/** Redirects signed-in people from the sign-in screens to the root. */
export function publicOnly(): void {
  if (session.token() !== null) throw redirect({ to: '/' });
}

/** Does the same on the magic-link page, but only if there is no link to complete. */
export function landing(code: string): void {
  if (code === '') publicOnly();
}

/** Remembers the requested address and redirects anonymous visitors to sign-in. */
export function signedInOnly({ location }: { location: { href: string } }): void {
  if (session.token() !== null) return;
  rememberRedirect(location.href);
  throw redirect({ to: '/login' });
}
