/** Rules of signing in. */
import { type ProfileOut, statusOf } from '@vitrine/api';

/** Seconds before a magic link may be sent again. */
export const RESEND_AFTER_S = 60;

/** A basic e-mail pattern; the server decides. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());
}

/** Where a person goes once signed in. */
export type NextStep = { to: 'details' } | { to: 'consent'; code: string } | { to: 'remembered' };

/** Details first, then the organisation that is being joined, then what was wanted before. */
export function nextStep(profile: Pick<ProfileOut, 'firstName'>, joinCode: string | undefined): NextStep {
  if (profile.firstName === '') return { to: 'details' };
  return joinCode === undefined ? { to: 'remembered' } : { to: 'consent', code: joinCode };
}

/** Whole seconds until the link may be sent again, for times in epoch milliseconds. */
export function resendIn(sentAt: number, now: number): number {
  return Math.max(0, Math.ceil(RESEND_AFTER_S - (now - sentAt) / 1000));
}

/** Whether the same call may well succeed a little later: no connection, trouble at the server, too many tries. */
export function isPassing(error: unknown): boolean {
  return statusOf(error) >= 500 || statusOf(error) === 429;
}
