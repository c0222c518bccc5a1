/** Rules of signing in: where to go afterwards. */
import { codeOf, messageOf, statusOf } from '@vitrine/api';
import { storage } from '~/shared/lib/storage.ts';
import { sessionTexts } from './texts.ts';

/** What a magic link was asked for. */
export type LinkAction = 'login' | 'signup';

/** First screen of a new person. */
export const ONBOARDING = '/on-boarding/details/user';

/** Seconds between two mails to one address, where the server does not say (rules 5.1). */
export const RESEND_AFTER_S = 60;

/** Screens that need nobody signed in; none of them is ever the way back. */
const PUBLIC_PAGES = ['/login', '/sign-up', '/forgot-password', '/authenticate', '/reset-password'];

/** Longer addresses are none of ours. */
const LONGEST_PATH = 2048;

/** Whether the path is one of the sign-in screens. */
export function isPublicPage(path: string): boolean {
  const bare = path.toLowerCase();
  return PUBLIC_PAGES.some((page) => bare === page || bare.startsWith(`${page}/`));
}

/** The path, query and hash if they are ours and no sign-in screen, otherwise null (G-04). */
export function safeRedirect(path: string | null): string | null {
  if (path === null || path.length > LONGEST_PATH || !isPlain(path)) return null;
  const url = resolved(path);
  if (url === null || !isPlain(url.pathname)) return null;
  const bare = decoded(url.pathname);
  return bare === null || !isPlain(bare) || isPublicPage(bare) ? null : path;
}

/** Begins with one slash, and has nothing in it that browsers drop or read as a slash. */
function isPlain(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  return /^\/(?!\/)/.test(path) && !/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\]/.test(path);
}

/** What a browser makes of it; null when that is not this site. */
function resolved(path: string): URL | null {
  try {
    const url = new URL(path, window.location.origin);
    return url.origin === window.location.origin ? url : null;
  } catch {
    return null;
  }
}

/** The path without percent signs, however often it was encoded; null when that is no text or has no end. */
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

/** Remembers where an anonymous person wanted to go. */
export function rememberRedirect(path: string): void {
  if (safeRedirect(path) !== null) storage.set('redirectUrl', path);
}

/** Reads and removes the remembered path; the root when there is none, or when somebody spoiled it. */
export function takeRedirect(): string {
  const path = safeRedirect(storage.get('redirectUrl'));
  storage.remove('redirectUrl');
  return path ?? '/';
}

/** Whether somebody still has to tell who they are (G-02). */
export function needsOnboarding(signedIn: { isNew: boolean; profile: { firstName: string } }): boolean {
  return signedIn.isNew || signedIn.profile.firstName.trim() === '';
}

/** Whether two passwords are not both filled and equal (spec section 5). */
export function passwordsDiffer(password: string, again: string): boolean {
  return password === '' || password !== again;
}

/** Whether the same call may well succeed a little later: no connection, trouble at the server, too many tries. */
export function isPassing(error: unknown): boolean {
  return statusOf(error) >= 500 || statusOf(error) === 429;
}

/** The message of a failed call; a dead connection is called one. */
export function failureOf(error: unknown): string {
  return codeOf(error) === 'network' ? sessionTexts.unreachable : messageOf(error);
}
