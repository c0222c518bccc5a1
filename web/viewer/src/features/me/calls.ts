/** A person's own consent and membership. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type JoinedOrganisationOut } from '@vitrine/api';
import { organisationsQuery } from '~/features/organisations/queries.ts';
import { api } from '~/shared/api.ts';

/** PATCH /organizations/{id}/users/me/consent. */
export function useSetConsent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (consent: boolean) =>
      answerOf(
        api.PATCH('/v1/organizations/{id}/users/me/consent', { params: { path: { id: orgId } }, body: { consent } }),
      ),
    onSuccess: (_record, consent) =>
      client.setQueryData(organisationsQuery.queryKey, (all: JoinedOrganisationOut[] | undefined) =>
        all?.map((organisation) => (organisation.uid === orgId ? { ...organisation, consent } : organisation)),
      ),
  });
}

/** DELETE /organizations/{id}/users/me. */
export function useLeave(orgId: string) {
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/v1/organizations/{id}/users/me', { params: { path: { id: orgId } } })),
  });
}
