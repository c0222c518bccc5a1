/** Calls of the identity provider. */

import { useMutation } from '@tanstack/react-query';
import { answerOf, codeOf, messageOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { storage } from '~/shared/lib/storage.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import type { LinkAction } from '../model.ts';
import type { PopupProof, Provider } from '../popup.ts';
import { sessionTexts } from '../texts.ts';
import { useBegin } from './begin.ts';

/** E-mail and password as they were typed. */
interface Pair {
  email: string;
  password: string;
}

/** Asks for a magic link by e-mail and remembers the address for the landing page. */
export function useSendMagicLink(action: LinkAction) {
  return useMutation({
    mutationFn: async (email: string) => {
      await answerOf(api.POST('/v1/auth/magic-links', { body: { email, action } }));
      storage.set('emailForSignIn', email);
    },
    meta: { success: sessionTexts.magicLinkSent, failure: sessionTexts.magicLinkFailed },
  });
}

/** Completes a magic link; opening the page alone uses nothing up, this call does. */
export function useRedeemMagicLink(action: string) {
  const begin = useBegin();
  return useMutation({
    mutationFn: (link: { email: string; code: string }) =>
      answerOf(api.POST('/v1/auth/magic-links/redeem', { body: link })),
    onSuccess: (signedIn) => begin(signedIn, { onboarding: action !== 'login' }),
  });
}

/** Signs in with e-mail and password. */
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

/** Makes an account with e-mail and password. */
export function usePasswordSignUp() {
  const begin = useBegin();
  return useMutation({
    mutationFn: (pair: Pair) => answerOf(api.POST('/v1/auth/sign-up', { body: pair })),
    onSuccess: (signedIn) => begin(signedIn, { onboarding: true }),
    meta: { failure: 'server' },
  });
}

/** Completes a sign-in that a provider's window handed over (G-16: the identity decides where to go). */
export function useRedeemPopup(failed: Record<Provider, string>) {
  const begin = useBegin();
  return useMutation({
    mutationFn: ({ code, secret }: PopupProof & { provider: Provider }) =>
      answerOf(api.POST('/v1/auth/oidc/redeem', { body: { code, secret } })),
    onSuccess: (signedIn) => begin(signedIn),
    // What the person can mend has a sentence of its own; for the rest there is the provider's.
    onError: (error, { provider }) =>
      toastFailure(codeOf(error) === 'email_unverified' ? messageOf(error) : failed[provider]),
  });
}

/** Asks for a password reset link. */
export function useSendPasswordReset() {
  return useMutation({
    mutationFn: (email: string) => answerOf(api.POST('/v1/auth/password-resets', { body: { email } })),
    meta: { success: sessionTexts.resetSent, failure: 'server' },
  });
}

/** Sets a new password by the code of a mailed link; refusals stand on the page. */
export function useRedeemPasswordReset() {
  const begin = useBegin();
  return useMutation({
    mutationFn: (reset: { code: string; password: string }) =>
      answerOf(api.POST('/v1/auth/password-resets/redeem', { body: reset })),
    onSuccess: (signedIn) => begin(signedIn),
  });
}
