/** Rules of signing in: where to go afterwards. */
import { storage } from '~/shared/lib/storage.ts';

/** What a magic link was asked for. */
export type LinkAction = 'login' | 'signup';

/** First screen of a new person. */
export const ONBOARDING = '/on-boarding/details/user';

const PUBLIC_ONLY = ['/login', '/sign-up', '/forgot-password', '/authenticate'];

/** The path if it is one of ours and not a sign-in screen, otherwise null (G-04). */
export function safeRedirect(path: string | null): string | null {
  if (path === null || !path.startsWith('/') || /^\/[/\\]/.test(path)) return null;
  // Browsers drop tabs and line ends inside an address: '/\t/host' would become '//host'.
  if (/[\t\r\n]/.test(path)) return null;
  const bare = path.split(/[?#]/)[0] ?? path;
  return PUBLIC_ONLY.some((page) => bare === page || bare.startsWith(`${page}/`)) ? null : path;
}

/** Remembers where an anonymous person wanted to go. */
export function rememberRedirect(path: string): void {
  if (safeRedirect(path) !== null) storage.set('redirectUrl', path);
}

/** Reads and removes the remembered path; the root when there is none. */
export function takeRedirect(): string {
  const path = safeRedirect(storage.get('redirectUrl'));
  storage.remove('redirectUrl');
  return path ?? '/';
}

/** Whether somebody still has to tell who they are (G-02). */
export function needsOnboarding(signedIn: { isNew: boolean; profile: { firstName: string } }): boolean {
  return signedIn.isNew || signedIn.profile.firstName.trim() === '';
}
