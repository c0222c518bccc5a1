/** The identity calls of the app. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ProfileOut } from '@vitrine/api';
import { api } from '~/shared/api.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
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

/** Ends the session here; the server is told, but a dead line does not keep a person signed in. */
export async function signOut(client: QueryClient): Promise<void> {
  await api.POST('/v1/auth/sign-out', { params: { query: { app: 'viewer' } } }).catch(() => undefined);
  for (const key of ['email', 'next', 'organisation'] as const) storage.remove(key);
  session.clear();
  client.clear();
}
