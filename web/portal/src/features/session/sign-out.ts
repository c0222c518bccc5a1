/** Signing out of the portal. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf } from '@vitrine/api';
import { api, signOuts } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';
import { toastWarning } from '~/shared/ui/toasts.ts';
import { forgetPerson } from './api/begin.ts';
import { rememberRedirect } from './model.ts';
import { sessionTexts } from './texts.ts';

/**
 * Signs out, clears the person's data and opens sign-in; warns if the server could not be reached. The next person to
 * sign in returns to `returnTo`.
 */
export function useSignOut(): (returnTo?: string) => Promise<void> {
  const leave = useLeave();
  return async (returnTo) => {
    const delivered = signOuts.signOut();
    await leave(returnTo);
    if (!(await delivered)) toastWarning(sessionTexts.signOutPending);
  };
}

/** Ends all of the person's sessions; if the server cannot be reached, none ends and the error is shown. */
export function useSignOutEverywhere() {
  const leave = useLeave();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/auth/sign-out', { params: { query: { everywhere: '1' } } })),
    onSuccess: () => {
      session.clear();
      return leave();
    },
    meta: { failure: 'server' },
  });
}

/** Clears local data and opens sign-in. */
function useLeave(): (returnTo?: string) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (returnTo) => {
    forgetPerson();
    storage.remove('redirectUrl');
    if (returnTo !== undefined) rememberRedirect(returnTo);
    storage.remove('emailForSignIn');
    // Leave first: mounted screens would refetch the cleared queries while signed out.
    await navigate({ to: '/login' });
    client.clear();
  };
}
