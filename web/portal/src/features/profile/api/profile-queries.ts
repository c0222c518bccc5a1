/** The signed-in person's profile. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ProfileIn, type ProfileOut, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { delayOf } from '~/shared/lib/retry.ts';

/** The profile. A 404 means it is not ready yet, so it is retried with doubling delays. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/profiles', { signal })),
  retry: (_failures, error) => statusOf(error) === 404,
  retryDelay: (failures) => delayOf(failures, 30_000),
  staleTime: 60_000,
});

/** Saves profile fields and updates the cache. */
export function useSaveProfile(toasts: { success?: string } = {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user: ProfileIn): Promise<ProfileOut> => answerOf(api.PATCH('/v1/profiles', { body: { user } })),
    onSuccess: (profile) => client.setQueryData(profileQuery.queryKey, profile),
    meta: { ...toasts, failure: 'server' },
  });
}
