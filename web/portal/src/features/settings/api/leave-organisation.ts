/** Leaving an organisation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { api } from '~/shared/api/client.ts';
import { settingsTexts } from '../texts.ts';

/** Ends the person's own membership, as staff and as an app user. */
export function useLeaveOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/organizations/{id}/users/me', { params: { path: { id } } })),
    onSettled: (_data, _error, id) => {
      client.removeQueries({ queryKey: ['org', id] });
      void client.invalidateQueries({ queryKey: organisationsQuery.queryKey });
      return client.invalidateQueries({ queryKey: membershipsQuery.queryKey });
    },
    meta: { success: settingsTexts.left, failure: 'server' },
  });
}
