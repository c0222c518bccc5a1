/** The ways in which the signed-in person may sign in, and the proof of their address. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, codeOf, messageOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { sessionTexts } from '../texts.ts';

/** E-mail, password and providers of the signed-in person. */
export const methodsQuery = queryOptions({
  queryKey: ['methods'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/auth/methods', { signal })),
});

/** Whether the server says that there is nothing to confirm any more. */
export const isVerifiedAlready = (error: unknown) => codeOf(error) === 'already_verified';

/** Asks for the confirmation mail again. */
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
 * Confirms the address by the code of a mailed link, and answers whether it was confirmed before: a link opened twice
 * is no fault.
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
