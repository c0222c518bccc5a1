/** Ending a session from the portal. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf } from '@vitrine/api';
import { api, signOuts } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';
import { toastWarning } from '~/shared/ui/toasts.ts';
import { forgetPerson } from './api/begin.ts';
import { sessionTexts } from './texts.ts';

/** Signs out, forgets everything kept for this person, and shows the sign-in page; says so if the server was not told. */
export function useSignOut(): () => Promise<void> {
  const leave = useLeave();
  return async () => {
    const told = signOuts.signOut();
    await leave();
    if (!(await told)) toastWarning(sessionTexts.signOutPending);
  };
}

/** Ends every session of the person; where the server cannot be told, nothing ends and the message says so. */
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

/** What follows the end of the session. */
function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    forgetPerson();
    storage.remove('redirectUrl');
    storage.remove('emailForSignIn');
    // The screens go first: still mounted, they would ask again for what is forgotten, signed out.
    await navigate({ to: '/login' });
    client.clear();
  };
}
