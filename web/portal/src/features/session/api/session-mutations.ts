/** Calls of the identity provider. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type SessionOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { storage } from '~/shared/lib/storage.ts';
import type { LinkAction } from '../model.ts';
import { sessionTexts } from '../texts.ts';

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
export function useRedeemMagicLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (link: { email: string; code: string }) =>
      answerOf(api.POST('/v1/auth/magic-links/redeem', { body: link })),
    onSuccess: (signedIn) => {
      client.clear();
      begin(signedIn);
    },
  });
}

/** Signs in with e-mail and password. */
export function usePasswordSignIn() {
  return useMutation({
    mutationFn: (pair: { email: string; password: string }) => answerOf(api.POST('/v1/auth/sign-in', { body: pair })),
    onSuccess: begin,
    meta: { failure: sessionTexts.signInFailed },
  });
}

/** Makes an account with e-mail and password. */
export function usePasswordSignUp() {
  return useMutation({
    mutationFn: (pair: { email: string; password: string }) => answerOf(api.POST('/v1/auth/sign-up', { body: pair })),
    onSuccess: begin,
    meta: { failure: 'server' },
  });
}

/** Asks for a password reset link. */
export function useSendPasswordReset() {
  return useMutation({
    mutationFn: (email: string) => answerOf(api.POST('/v1/auth/password-resets', { body: { email } })),
    meta: { success: sessionTexts.resetSent, failure: 'server' },
  });
}

function begin(signedIn: SessionOut): void {
  storage.remove('emailForSignIn');
  session.save(signedIn.accessToken);
}
