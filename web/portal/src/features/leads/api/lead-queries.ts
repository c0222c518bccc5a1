/** Leads and their profiles. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiProblem, answerOf, listOf, type ProfileOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { batches, nextPage, PROFILE_BATCH } from '../model.ts';
import { leadTexts } from '../texts.ts';

/** Leads, highest score first, with total counts. */
export const leadsQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'leads'],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/v1/analytics/leads', {
          params: { query: { orgId, ...(pageParam === '' ? {} : { startAfter: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ data }) => nextPage(data),
  });

/** Profiles of one page of leads, by id. */
export const leadProfilesQuery = (orgId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['org', orgId, 'profiles', ids],
    queryFn: () => profilesById(orgId, ids),
    enabled: ids.length > 0,
    staleTime: 60_000,
  });

/** The leads as a CSV file, made by the server. */
export const exportLeads = (orgId: string): Promise<Blob> =>
  answerOf(api.GET('/v1/analytics/leads/export', { params: { query: { orgId } }, parseAs: 'blob' }));

async function profilesById(orgId: string, ids: readonly string[]): Promise<Map<string, ProfileOut>> {
  const lists = await Promise.all(batches(ids, PROFILE_BATCH).map((batch) => profiles(orgId, batch)));
  return new Map(lists.flat().map((profile) => [profile.uid, profile]));
}

/** Fetches profiles by id. Throws without a request if there are no ids. */
export function profiles(orgId: string, ids: readonly string[]): Promise<ProfileOut[]> {
  if (ids.length === 0) throw new ApiProblem(400, leadTexts.needsOne);
  return listOf(api.GET('/v1/profiles/{ids}', { params: { path: { ids: ids.join(';') }, query: { orgId } } }));
}
