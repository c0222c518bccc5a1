/** Which emails a member of staff gets about an organisation. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type StaffEmailsOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

export const staffEmailsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['staff-emails', orgId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{id}/users/me/emails', { params: { path: { id: orgId } }, signal })),
  });

/** Turns one of the emails on or off; shown at once, and undone if the server refuses. */
export function useChangeStaffEmails(orgId: string) {
  const client = useQueryClient();
  const { queryKey } = staffEmailsQuery(orgId);
  return useMutation({
    mutationFn: (changed: Partial<StaffEmailsOut>) => {
      const body = { hotLeads: false, weeklySummary: false, ...client.getQueryData(queryKey), ...changed };
      return answerOf(api.PATCH('/v1/organizations/{id}/users/me/emails', { params: { path: { id: orgId } }, body }));
    },
    onMutate: async (changed) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (all) => all && { ...all, ...changed });
      return before;
    },
    onError: (_error, _changed, before) => client.setQueryData(queryKey, before),
    onSuccess: (stored) => client.setQueryData(queryKey, stored),
    scope: { id: `staff-emails ${orgId}` },
    meta: { failure: 'server' },
  });
}
