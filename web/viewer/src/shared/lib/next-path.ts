/** The page to return to after sign-in. */
import { storage } from './storage.ts';

/** Remembers the page a signed-out person requested. */
export function rememberPath(path: string): void {
  if (isOwnPath(path)) storage.set('next', path);
}

/** Returns the remembered page, if there is one. */
export function peekPath(): string | null {
  return storage.get('next');
}

/** Reads and removes the remembered page; `/` if there is none. */
export function takePath(): string {
  const path = storage.get('next');
  storage.remove('next');
  return path !== null && isOwnPath(path) ? path : '/';
}

/** Returns whether a path is inside the app and not a sign-in page. Prevents open redirects. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/^\/(sign-in|authenticate)\b/.test(path);
}
