/** Memberships, organisations and what may be changed about them. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, listOf, type OrganisationPatch, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { delayOf } from '~/shared/lib/retry.ts';
import { reduceMemberships } from '../memberships.ts';
import { orgTexts } from '../texts.ts';

/** The person's organisations; a 404 means not ready yet and is asked again with doubling delay (spec section 4). */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/profiles/roles/detailed', { signal })),
  select: reduceMemberships,
  retry: (_failures, error) => statusOf(error) === 404,
  retryDelay: (failures) => delayOf(failures, 30_000),
  staleTime: 60_000,
});

/** The person's organisations in full: theme, pins, joining link. */
export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/organizations', { signal })),
});

/** One organisation in full. */
export const organisationQuery = (orgId: string) =>
  queryOptions({ ...organisationsQuery, select: (all) => all.find(({ uid }) => uid === orgId) ?? null });

/** Changes fields of an organisation. */
export function useChangeOrganisation(orgId: string, toasts: { success?: string; failure?: string } = {}) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (organisation: OrganisationPatch) =>
      answerOf(api.PATCH('/v1/organizations/{id}', { params: { path: { id: orgId } }, body: { organisation } })),
    onSuccess: async (changed) => {
      client.setQueryData(organisationsQuery.queryKey, (all) =>
        all?.map((one) => (one.uid === changed.uid ? changed : one)),
      );
      await client.invalidateQueries({ queryKey: membershipsQuery.queryKey });
    },
    meta: { failure: 'server', ...toasts },
  });
}

/** Makes the joining link of a public organisation. */
export function useGenerateJoinUrl(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/organizations/{id}/joinUrl', { params: { path: { id: orgId } } })),
    onSuccess: ({ joinUrl }) =>
      client.setQueryData(organisationsQuery.queryKey, (all) =>
        all?.map((one) => (one.uid === orgId ? { ...one, publicJoinUrl: joinUrl } : one)),
      ),
    meta: { success: orgTexts.joinUrlGenerated, failure: 'server' },
  });
}
