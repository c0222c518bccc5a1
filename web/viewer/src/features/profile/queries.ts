/** The signed-in person's profile. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ProfileIn } from '@vitrine/api';
import { api } from '~/shared/api.ts';
import { orSeenLast } from '~/shared/seen-last.ts';

/** GET /profiles. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => orSeenLast('profile', () => answerOf(api.GET('/v1/profiles', { signal }))),
});

/** PATCH /profiles. */
export function useSaveProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user: ProfileIn) => answerOf(api.PATCH('/v1/profiles', { body: { user } })),
    onSuccess: (profile) => client.setQueryData(profileQuery.queryKey, profile),
  });
}
