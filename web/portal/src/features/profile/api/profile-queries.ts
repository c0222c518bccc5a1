/** The signed-in person's own profile. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ProfileOut, type ProfilePatch, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { delayOf } from '~/shared/lib/retry.ts';

/** The profile; a 404 means it is not ready yet, so it is asked for again, ever more slowly (spec section 4). */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/profiles', { signal })),
  retry: (_failures, error) => statusOf(error) === 404,
  retryDelay: (failures) => delayOf(failures, 30_000),
  staleTime: 60_000,
});

/** Saves fields of the profile; the screens see the answer at once. */
export function useSaveProfile(toasts: { success?: string } = {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user: ProfilePatch): Promise<ProfileOut> => answerOf(api.PATCH('/v1/profiles', { body: { user } })),
    onSuccess: (profile) => client.setQueryData(profileQuery.queryKey, profile),
    meta: { ...toasts, failure: 'server' },
  });
}
