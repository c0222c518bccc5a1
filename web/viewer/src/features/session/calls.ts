/** The identity calls of the app. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, type ProfileOut } from '@vitrine/api';
import { api, signOuts } from '~/shared/api.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { showToast } from '~/shared/ui/toasts.ts';
import { SIGN_IN } from './texts.ts';

/** POST /auth/magic-links; remembers the address for the moment the link is opened. */
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

/** POST /auth/magic-links/redeem; answers the signed-in person's profile. */
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

/** Signs out here at once and forgets what was kept for the person; says so if the server could not be told yet. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    const told = signOuts.signOut();
    // The screens go first: still mounted, they would ask again for what is forgotten, signed out.
    await navigate({ to: '/sign-in' });
    for (const key of ['email', 'next', 'organisation'] as const) storage.remove(key);
    client.clear();
    if (!(await told)) showToast('failure', SIGN_IN.signOutPending);
  };
}
