/** The organisations a person has joined, those that the person can only leave or withdraw from, and the one behind a joining link. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type JoinedOrganisationOut, listOf } from '@vitrine/api';
import { api } from '~/shared/api.ts';
import { orSeenLast } from '~/shared/seen-last.ts';
import { forgetBrandOf } from './last-brand.ts';

const organisations = async (access: boolean, signal: AbortSignal) => {
  const all = await orSeenLast('organizations', () => listOf(api.GET('/v1/viewer/organizations', { signal })));
  return all.filter((one) => one.access === access);
};

/** GET /viewer/organizations: those that the person can open. */
export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: ({ signal }) => organisations(true, signal),
});

/** GET /viewer/organizations: those that the person cannot open but can leave, or withdraw the consent from. */
export const keptConsentsQuery = queryOptions({
  queryKey: ['organisations', 'kept-consents'],
  queryFn: ({ signal }) => organisations(false, signal),
});

/** PATCH /organizations/{id}/users/me/consent, for an organisation that the person cannot open. */
export function useWithdrawKept() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(
        api.PATCH('/v1/organizations/{id}/users/me/consent', { params: { path: { id } }, body: { consent: false } }),
      ),
    onSuccess: (_record, id) =>
      client.setQueryData(keptConsentsQuery.queryKey, (all: JoinedOrganisationOut[] | undefined) =>
        all
          ?.map((one) => (one.uid === id ? { ...one, consent: false } : one))
          .filter(({ consent, member }) => consent === true || member),
      ),
  });
}

/** DELETE /organizations/{id}/users/me. What is known of it stays until `forgetOrganisation`. */
export function useLeave() {
  return useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/organizations/{id}/users/me', { params: { path: { id } } })),
  });
}

/** Removes an organisation that was left; its screens close, and this browser forgets its brand. */
export function forgetOrganisation(client: QueryClient, id: string): void {
  forgetBrandOf(id);
  client.setQueriesData({ queryKey: organisationsQuery.queryKey }, (all: JoinedOrganisationOut[] | undefined) =>
    all?.filter(({ uid }) => uid !== id),
  );
}

/** GET /join/{code}: the organisation's public details and the consent notice. */
export function joinQuery(code: string) {
  return queryOptions({
    queryKey: ['join', code],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/join/{code}', { params: { path: { code } }, signal })),
  });
}
