/** Ending a session from the portal. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';
import { forgetPerson } from './api/begin.ts';

/** Longer than this nobody waits for the server to be told. */
const PATIENCE_MS = 5000;

/** Signs out, forgets everything kept for this person, and shows the sign-in page. */
export function useSignOut(): () => Promise<void> {
  const leave = useLeave();
  return async () => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
    // The session ends here even if the server cannot be told.
    await api.POST('/v1/auth/sign-out', { signal: stop.signal }).catch(() => undefined);
    clearTimeout(timer);
    await leave();
  };
}

/** Ends every session of the person; where the server cannot be told, nothing ends and the message says so. */
export function useSignOutEverywhere() {
  const leave = useLeave();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/auth/sign-out', { params: { query: { everywhere: '1' } } })),
    onSuccess: leave,
    meta: { failure: 'server' },
  });
}

function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    forgetPerson();
    storage.remove('redirectUrl');
    storage.remove('emailForSignIn');
    session.clear();
    // The screens go first: still mounted, they would ask again for what is forgotten, signed out.
    await navigate({ to: '/login' });
    client.clear();
  };
}
