/** Sign-in and sign-out calls. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, type ProfileOut } from '@vitrine/api';
import { api, signOuts } from '~/shared/api.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { showToast } from '~/shared/ui/toasts.ts';
import { SIGN_IN } from './texts.ts';

/** POST /auth/magic-links; stores the email for when the link is opened. */
export function useSendMagicLink() {
  return useMutation({
    meta: { success: SIGN_IN.sent },
    mutationFn: async ({ email, joinCode }: { email: string; joinCode: string | undefined }) => {
      const body = { email, action: 'login', app: 'viewer', ...(joinCode === undefined ? {} : { joinCode }) } as const;
      await answerOf(api.POST('/v1/auth/magic-links', { body }));
      storage.set('email', email);
    },
  });
}

/** POST /auth/magic-links/redeem; returns the signed-in person's profile. */
export function useRedeemMagicLink() {
  const client = useQueryClient();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: async ({ email, code }: { email: string; code: string }): Promise<ProfileOut> => {
      const answer = await answerOf(api.POST('/v1/auth/magic-links/redeem', { body: { email, code, app: 'viewer' } }));
      session.save(answer.accessToken);
      storage.remove('email');
      client.setQueryData(['profile'], answer.profile);
      return answer.profile;
    },
  });
}

/** Signs out immediately and clears the person's data; warns if the server could not be reached. */
export function useSignOut(): (next?: { joinCode: string }) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (next) => {
    const delivered = signOuts.signOut();
    // Leave first: mounted screens would refetch the cleared queries while signed out.
    await navigate({ to: '/sign-in', search: next ?? {} });
    for (const key of ['email', 'next', 'organisation'] as const) storage.remove(key);
    client.clear();
    if (!(await delivered)) showToast('failure', SIGN_IN.signOutPending);
  };
}
