/** A person's own consent, emails, sessions and membership. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type JoinedOrganisationOut, listOf } from '@vitrine/api';
import { organisationsQuery } from '~/features/organisations/queries.ts';
import { api } from '~/shared/api.ts';

/** PATCH /organizations/{id}/users/me/consent. */
export function useSetConsent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { consent: false } | { consent: true; noticeVersion: string }) =>
      answerOf(api.PATCH('/v1/organizations/{id}/users/me/consent', { params: { path: { id: orgId } }, body })),
    // Also after a refusal: the notice may have changed.
    onSettled: () => void client.invalidateQueries({ queryKey: ownConsentsQuery(orgId).queryKey }),
    onSuccess: (_record, { consent }) => {
      client.setQueryData(organisationsQuery.queryKey, (all: JoinedOrganisationOut[] | undefined) =>
        all?.map((organisation) => (organisation.uid === orgId ? { ...organisation, consent } : organisation)),
      );
    },
  });
}

/** GET /organizations/{id}/users/me/consent: the person's own answers, and the notice. */
export function ownConsentsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['own-consents', orgId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{id}/users/me/consent', { params: { path: { id: orgId } }, signal })),
  });
}

/** GET /organizations/{id}/users/me/announcements: whether the person gets emails about what is new. */
export function emailsQuery(orgId: string) {
  return queryOptions({
    queryKey: ['emails', orgId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{id}/users/me/announcements', { params: { path: { id: orgId } }, signal })),
  });
}

/** PATCH /organizations/{id}/users/me/announcements. */
export function useSetEmails(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (emails: boolean) =>
      answerOf(
        api.PATCH('/v1/organizations/{id}/users/me/announcements', {
          params: { path: { id: orgId } },
          body: { emails },
        }),
      ),
    onSuccess: (answer) => client.setQueryData(emailsQuery(orgId).queryKey, answer),
  });
}

/** GET /auth/sessions: where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/auth/sessions', { signal })),
});

/** DELETE /auth/sessions/{uid}. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) => answerOf(api.DELETE('/v1/auth/sessions/{uid}', { params: { path: { uid } } })),
    onSuccess: (_answer, ended) =>
      client.setQueryData(sessionsQuery.queryKey, (all) => all?.filter(({ uid }) => uid !== ended)),
  });
}

/** GET /profiles/export: everything that is stored about the person. Not kept, because it is read rarely. */
export const exportQuery = queryOptions({
  queryKey: ['export'],
  queryFn: async ({ signal }): Promise<Record<string, unknown>> => answerOf(api.GET('/v1/profiles/export', { signal })),
  gcTime: 0,
  staleTime: 0,
});

/** DELETE /profiles. The server has ended every session when it answers. */
export function useErase() {
  return useMutation({
    meta: { failure: 'inline' },
    mutationFn: (email: string) => answerOf(api.DELETE('/v1/profiles', { body: { email } })),
  });
}
