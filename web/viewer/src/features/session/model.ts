/** Sign-in rules. */
import { type ProfileOut, statusOf } from '@vitrine/api';

/** Seconds before a magic link can be resent. */
export const RESEND_AFTER_S = 60;

/** Returns whether the text looks like an email address; the server decides. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/** Returns the digits of what was typed or pasted, at most six. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '').slice(0, 6);
}

/** The next step after sign-in. */
export type NextStep = { to: 'details' } | { to: 'consent'; code: string } | { to: 'remembered' };

/** Details first, then the organisation being joined, then the remembered page. */
export function nextStep(profile: Pick<ProfileOut, 'firstName'>, joinCode: string | undefined): NextStep {
  if (profile.firstName === '') return { to: 'details' };
  return joinCode === undefined ? { to: 'remembered' } : { to: 'consent', code: joinCode };
}

/** Returns the whole seconds until the link can be resent; times are epoch milliseconds. */
export function resendIn(sentAt: number, now: number): number {
  return Math.max(0, Math.ceil(RESEND_AFTER_S - (now - sentAt) / 1000));
}

/** Returns whether the same call may succeed later: no connection, a server error, or too many attempts. */
export function isPassing(error: unknown): boolean {
  return statusOf(error) >= 500 || statusOf(error) === 429;
}
