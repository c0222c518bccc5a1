/** What every way of signing in ends in. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SessionOut } from '@vitrine/api';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';
import { needsOnboarding, ONBOARDING, takeRedirect } from '../model.ts';

interface BeginOptions {
  /** To the first onboarding screen in any case. */
  onboarding?: boolean;
}

/** Keeps the session, forgets whoever was here before, and goes to onboarding or to the remembered address. */
export function useBegin(): (signedIn: SessionOut, options?: BeginOptions) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (signedIn, { onboarding = false } = {}) => {
    const before = session.person();
    session.save(signedIn.accessToken);
    if (before !== null && before !== session.person()) forgetPerson();
    client.getQueryCache().clear();
    storage.remove('emailForSignIn');
    const target = onboarding || needsOnboarding(signedIn) ? ONBOARDING : takeRedirect();
    return navigate({ href: target, replace: true });
  };
}

/** Removes what this browser and this tab keep for the person who was signed in. */
export function forgetPerson(): void {
  sessionStorage.clear();
  storage.remove('accountId');
  storage.remove('planId');
}
