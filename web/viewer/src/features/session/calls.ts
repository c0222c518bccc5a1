/** Sign-in and sign-out calls. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, type ProfileOut, type SessionOut } from '@vitrine/api';
import type { PopupProof } from '@vitrine/api/popup';
import { forgetBrand } from '~/features/organisations/last-brand.ts';
import { api, signOuts } from '~/shared/api.ts';
import { storage } from '~/shared/lib/storage.ts';
import { session } from '~/shared/session.ts';
import { showToast } from '~/shared/ui/toasts.ts';
import { forgetSent } from './sent-email.ts';
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

/** Starts the session of an answer and returns the signed-in person's profile. */
function useBegin(): (answer: SessionOut) => ProfileOut {
  const client = useQueryClient();
  return ({ accessToken, profile }) => {
    session.save(accessToken);
    storage.remove('email');
    forgetSent();
    client.setQueryData(['profile'], profile);
    return profile;
  };
}

/** POST /auth/magic-links/redeem. */
export function useRedeemMagicLink() {
  const begin = useBegin();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (link: { email: string; code: string }) =>
      answerOf(api.POST('/v1/auth/magic-links/redeem', { body: { ...link, app: 'viewer' } })).then(begin),
  });
}

/** POST /auth/magic-links/redeem-code: the six digits of the email that this browser asked for. */
export function useRedeemDigits() {
  const begin = useBegin();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (digits: { email: string; code: string }) =>
      answerOf(api.POST('/v1/auth/magic-links/redeem-code', { body: { ...digits, app: 'viewer' } })).then(begin),
  });
}

/** POST /auth/sign-in. */
export function usePasswordSignIn() {
  const begin = useBegin();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (pair: { email: string; password: string }) =>
      answerOf(api.POST('/v1/auth/sign-in', { body: { ...pair, app: 'viewer' } })).then(begin),
  });
}

/** POST /auth/oidc/redeem: completes a sign-in from the window of a provider. */
export function useRedeemPopup() {
  const begin = useBegin();
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (proof: PopupProof) =>
      answerOf(api.POST('/v1/auth/oidc/redeem', { body: { ...proof, app: 'viewer' } })).then(begin),
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
    forgetSent();
    forgetBrand('elsewhere');
    client.clear();
    if (!(await delivered)) showToast('failure', SIGN_IN.signOutPending);
  };
}
