/** The common last step of every sign-in method. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SessionOut } from '@vitrine/api';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';
import { needsOnboarding, ONBOARDING, takeRedirect } from '../model.ts';

interface BeginOptions {
  /** Always open the first onboarding screen. */
  onboarding?: boolean;
}

/** Stores the session, clears data of the previous person, and opens onboarding or the remembered address. */
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

/** Removes the data this browser and this tab store for the person. */
export function forgetPerson(): void {
  sessionStorage.clear();
  storage.remove('accountId');
  storage.remove('planId');
}
