/** Sign-in methods of the signed-in person, and confirmation of their email address. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, codeOf, messageOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { sessionTexts } from '../texts.ts';

/** Email, password and providers of the signed-in person. */
export const methodsQuery = queryOptions({
  queryKey: ['methods'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/auth/methods', { signal })),
});

/** Returns whether the address was already confirmed. */
export const isVerifiedAlready = (error: unknown) => codeOf(error) === 'already_verified';

/** Resends the confirmation email. */
export function useSendVerification() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/auth/verifications')),
    onError: (error) => {
      if (isVerifiedAlready(error)) void client.invalidateQueries({ queryKey: methodsQuery.queryKey });
    },
    meta: {
      success: sessionTexts.verificationSent,
      failure: (error) => (isVerifiedAlready(error) ? null : messageOf(error)),
    },
  });
}

/**
 * Confirms the address with the code of an emailed link, and returns whether it was already confirmed: opening a link
 * twice is not an error.
 */
export function useRedeemVerification() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (code: string): Promise<{ already: boolean }> => {
      try {
        await answerOf(api.POST('/v1/auth/verifications/redeem', { body: { code } }));
        await client.invalidateQueries({ queryKey: methodsQuery.queryKey });
        return { already: false };
      } catch (error) {
        if (isVerifiedAlready(error)) return { already: true };
        if (codeOf(error) !== 'dead_link') throw error;
        const methods = await client.fetchQuery({ ...methodsQuery, staleTime: 0 }).catch(() => null);
        if (methods?.emailVerified !== true) throw error;
        return { already: true };
      }
    },
  });
}
