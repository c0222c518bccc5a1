/** Memberships, organisations and what may be changed about them. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, answerOf, listOf, type OrganisationPatch, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { delayOf, retryOn } from '~/shared/lib/retry.ts';
import { reduceMemberships } from '../memberships.ts';
import { orgTexts } from '../texts.ts';

/** The person's organisations; a 404 means not ready yet and is asked again with doubling delay (spec section 4). */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/profiles/roles/detailed', { signal })).catch(tellOffline),
  select: reduceMemberships,
  // Asked even where the browser believes to be offline: the shell has to know, not to wait.
  networkMode: 'always',
  retry: (_failures, error) => statusOf(error) === 404,
  retryDelay: (failures) => delayOf(failures, 30_000),
  staleTime: 60_000,
});

/** Whether a load failed for want of a line, and not because of the server. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === OFFLINE;
}

const OFFLINE = 'offline';

/** Decided when the call fails, as the line may be back when the screen is drawn. */
function tellOffline(error: unknown): never {
  if (error instanceof ApiProblem && error.code === 'network' && !navigator.onLine) {
    throw new ApiProblem(error.status, error.message, OFFLINE);
  }
  throw error;
}

/** The person's organisations in full: theme, pins, joining link. */
export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/organizations', { signal })),
  // Busy, or being replaced by a newer server: over in a moment.
  ...retryOn(429, 502, 503, 504),
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
