/** Sign-in rules: safe redirects, onboarding, failures. */
import { codeOf, messageOf, statusOf } from '@vitrine/api';
import { storage } from '~/shared/lib/storage.ts';
import { sessionTexts } from './texts.ts';

/** The purpose of a magic link. */
export type LinkAction = 'login' | 'signup';

/** First screen of a new person. */
export const ONBOARDING = '/on-boarding/details/user';

/** Seconds between two emails to one address if the server does not say. */
export const RESEND_AFTER_S = 60;

/** Public screens; never used as the address to return to. */
const PUBLIC_PAGES = ['/login', '/sign-up', '/forgot-password', '/authenticate', '/reset-password'];

/** Longer paths are not ours. */
const LONGEST_PATH = 2048;

/** Returns whether the path is one of the sign-in screens. */
export function isPublicPage(path: string): boolean {
  const bare = path.toLowerCase();
  return PUBLIC_PAGES.some((page) => bare === page || bare.startsWith(`${page}/`));
}

/** Returns the path if it is on this site and not a sign-in screen, otherwise null. Prevents open redirects. */
export function safeRedirect(path: string | null): string | null {
  if (path === null || path.length > LONGEST_PATH || !isPlain(path)) return null;
  const url = resolved(path);
  if (url === null || !isPlain(url.pathname)) return null;
  const bare = decoded(url.pathname);
  return bare === null || !isPlain(bare) || isPublicPage(bare) ? null : path;
}

/** Returns whether the path starts with exactly one slash and has no characters browsers strip or read as a slash. */
function isPlain(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern has to match them.
  return /^\/(?!\/)/.test(path) && !/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\]/.test(path);
}

/** Resolves the path as a browser would; null if that leaves this site. */
function resolved(path: string): URL | null {
  try {
    const url = new URL(path, window.location.origin);
    return url.origin === window.location.origin ? url : null;
  } catch {
    return null;
  }
}

/** Decodes the path repeatedly; null if it is invalid or still encoded after four rounds. */
function decoded(path: string): string | null {
  let text = path;
  for (let round = 0; round < 4; round += 1) {
    try {
      const next = decodeURIComponent(text);
      if (next === text) return text;
      text = next;
    } catch {
      return null;
    }
  }
  return null;
}

/** Remembers the address an anonymous visitor requested. */
export function rememberRedirect(path: string): void {
  if (safeRedirect(path) !== null) storage.set('redirectUrl', path);
}

/** Reads and removes the remembered path; returns the root if there is none or it is unsafe. */
export function takeRedirect(): string {
  const path = safeRedirect(storage.get('redirectUrl'));
  storage.remove('redirectUrl');
  return path ?? '/';
}

/** Returns whether the person still has to complete onboarding. */
export function needsOnboarding(signedIn: { isNew: boolean; profile: { firstName: string } }): boolean {
  return signedIn.isNew || signedIn.profile.firstName.trim() === '';
}

/** Returns whether the passwords are empty or differ. */
export function passwordsDiffer(password: string, again: string): boolean {
  return password === '' || password !== again;
}

/** Returns whether the same call may succeed later: no connection, a server error, or too many attempts. */
export function isPassing(error: unknown): boolean {
  return statusOf(error) >= 500 || statusOf(error) === 429;
}

/** Returns the message for a failed call, with a specific one if the server was unreachable. */
export function failureOf(error: unknown): string {
  return codeOf(error) === 'network' ? sessionTexts.unreachable : messageOf(error);
}
