/** Where the app may go by itself after a sign-in. */
import { storage } from './storage.ts';

/** Remembers the page a signed-out person wanted. */
export function rememberPath(path: string): void {
  if (isOwnPath(path)) storage.set('next', path);
}

/** The remembered page, once; `/` when there is none. */
export function takePath(): string {
  const path = storage.get('next');
  storage.remove('next');
  return path !== null && isOwnPath(path) ? path : '/';
}

/** Whether a path stays inside the app: never another origin, never the sign-in pages. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])/.test(path) && !/^\/(sign-in|authenticate)\b/.test(path);
}
