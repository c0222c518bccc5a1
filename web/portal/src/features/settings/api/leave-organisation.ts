/** Leaving an organisation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { api } from '~/shared/api/client.ts';
import { settingsTexts } from '../texts.ts';
import { keptConsentsQuery } from './kept-consents.ts';

/** Ends the person's own membership, as staff and as an app user, also of an organisation whose plan has ended. */
export function useLeaveOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/organizations/{id}/users/me', { params: { path: { id } } })),
    onSettled: async (_data, error, id) => {
      client.removeQueries({ queryKey: ['org', id] });
      void client.invalidateQueries({ queryKey: organisationsQuery.queryKey });
      await client.invalidateQueries({ queryKey: membershipsQuery.queryKey });
      if (error !== null) return;
      client.setQueryData(keptConsentsQuery.queryKey, (all) => all?.filter(({ uid }) => uid !== id));
    },
    meta: { success: settingsTexts.left, failure: 'server' },
  });
}
