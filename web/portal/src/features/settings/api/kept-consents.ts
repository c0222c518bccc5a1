/** What outlasts access: a membership after the organisation's plan has ended, and a consent after the person was removed. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, listOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { settingsTexts } from '../texts.ts';

/** The organisations that the person cannot open but can leave, or withdraw the consent from. */
export const keptConsentsQuery = queryOptions({
  queryKey: ['kept-consents'],
  queryFn: async ({ signal }) =>
    (await listOf(api.GET('/v1/viewer/organizations', { signal }))).filter(({ access }) => !access),
});

/** Withdraws the person's consent in one of them. */
export function useWithdrawConsent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(
        api.PATCH('/v1/organizations/{id}/users/me/consent', { params: { path: { id } }, body: { consent: false } }),
      ),
    onSuccess: (_record, id) =>
      client.setQueryData(keptConsentsQuery.queryKey, (all) =>
        all
          ?.map((one) => (one.uid === id ? { ...one, consent: false } : one))
          .filter(({ consent, member }) => consent === true || member),
      ),
    meta: { success: settingsTexts.consentWithdrawn, failure: 'server' },
  });
}
