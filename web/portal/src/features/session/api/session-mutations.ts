/** Sign-in, sign-up and password reset calls. */

import { useMutation } from '@tanstack/react-query';
import { answerOf, codeOf, messageOf } from '@vitrine/api';
import type { PopupProof, Provider } from '@vitrine/api/popup';
import { api } from '~/shared/api/client.ts';
import { storage } from '~/shared/lib/storage.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import type { LinkAction } from '../model.ts';
import { sessionTexts } from '../texts.ts';
import { useBegin } from './begin.ts';

/** Email and password as typed. */
interface Pair {
  email: string;
  password: string;
}

/** Requests a magic link and stores the email for the landing page. */
export function useSendMagicLink(action: LinkAction) {
  return useMutation({
    mutationFn: async (email: string) => {
      await answerOf(api.POST('/v1/auth/magic-links', { body: { email, action } }));
      storage.set('emailForSignIn', email);
    },
    meta: { success: sessionTexts.magicLinkSent, failure: sessionTexts.magicLinkFailed },
  });
}

/** Redeems a magic link. Only this call uses the link up, not opening the page. */
export function useRedeemMagicLink(action: string) {
  const begin = useBegin();
  return useMutation({
    mutationFn: (link: { email: string; code: string }) =>
      answerOf(api.POST('/v1/auth/magic-links/redeem', { body: link })),
    onSuccess: (signedIn) => begin(signedIn, { onboarding: action !== 'login' }),
  });
}

/** Signs in with email and password. */
export function usePasswordSignIn() {
  const begin = useBegin();
  return useMutation({
    mutationFn: (pair: Pair) => answerOf(api.POST('/v1/auth/sign-in', { body: pair })),
    onSuccess: (signedIn) => begin(signedIn),
    meta: {
      failure: (error) => (codeOf(error) === 'link_required' ? messageOf(error) : sessionTexts.signInFailed),
    },
  });
}

/** Creates an account with email and password. */
export function usePasswordSignUp() {
  const begin = useBegin();
  return useMutation({
    mutationFn: (pair: Pair) => answerOf(api.POST('/v1/auth/sign-up', { body: pair })),
    onSuccess: (signedIn) => begin(signedIn, { onboarding: true }),
    meta: { failure: 'server' },
  });
}

/** Completes a sign-in from a provider's popup. Whether the account is new decides where to go, not the page. */
export function useRedeemPopup(failed: Record<Provider, string>) {
  const begin = useBegin();
  return useMutation({
    mutationFn: ({ code, secret }: PopupProof & { provider: Provider }) =>
      answerOf(api.POST('/v1/auth/oidc/redeem', { body: { code, secret } })),
    onSuccess: (signedIn) => begin(signedIn),
    // An error the person can fix shows the server's message; any other shows the provider's fixed text.
    onError: (error, { provider }) =>
      toastFailure(codeOf(error) === 'email_unverified' ? messageOf(error) : failed[provider]),
  });
}

/** Requests a password reset link. */
export function useSendPasswordReset() {
  return useMutation({
    mutationFn: (email: string) => answerOf(api.POST('/v1/auth/password-resets', { body: { email } })),
    meta: { success: sessionTexts.resetSent, failure: 'server' },
  });
}

/** Sets a new password with the code of an emailed link; the page shows errors. */
export function useRedeemPasswordReset() {
  const begin = useBegin();
  return useMutation({
    mutationFn: (reset: { code: string; password: string }) =>
      answerOf(api.POST('/v1/auth/password-resets/redeem', { body: reset })),
    onSuccess: (signedIn) => begin(signedIn),
  });
}
