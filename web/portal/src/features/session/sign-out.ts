/** Ending a session from the portal. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';

/** Signs out, forgets everything kept for this person, and shows the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    // The session ends here even if the server cannot be told.
    await api.POST('/v1/auth/sign-out').catch(() => undefined);
    session.clear();
    client.clear();
    sessionStorage.clear();
    for (const key of ['redirectUrl', 'accountId', 'planId', 'emailForSignIn'] as const) storage.remove(key);
    await navigate({ to: '/login' });
  };
}
