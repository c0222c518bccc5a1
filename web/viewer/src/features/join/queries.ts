/** Joining an organisation by link. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, statusOf } from '@vitrine/api';
import { joinQuery, organisationsQuery } from '~/features/organisations/queries.ts';
import { api } from '~/shared/api.ts';

/** POST /join/{code} with the answer and the version of the notice shown. */
export function useJoin(code: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { consent: boolean; noticeVersion: string }) =>
      answerOf(api.POST('/v1/join/{code}', { params: { path: { code } }, body })),
    onError: (error) => {
      // The notice has changed since it was shown; load the new one to be answered.
      if (statusOf(error) === 409) void client.invalidateQueries({ queryKey: joinQuery(code).queryKey });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: organisationsQuery.queryKey, refetchType: 'none' }),
  });
}
