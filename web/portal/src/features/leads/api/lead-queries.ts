/** Leads and their profiles. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiProblem, answerOf, listOf, type ProfileOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { batches, nextPage, PROFILE_BATCH } from '../model.ts';
import type { LeadFilter } from '../search.ts';
import { leadTexts } from '../texts.ts';

/** Leads with total counts, paged. */
export const leadsQuery = (orgId: string, { search, temperature, sort }: LeadFilter) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'leads', { search, temperature, sort }],
    queryFn: ({ pageParam, signal }) =>
      answerOf(
        api.GET('/v1/analytics/leads', {
          params: {
            query: {
              orgId,
              ...(search === '' ? {} : { search }),
              ...(temperature === null ? {} : { temperature }),
              ...(sort === 'score' ? {} : { sort }),
              ...(pageParam === '' ? {} : { startAfter: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ data }) => nextPage(data),
    placeholderData: keepPreviousData,
  });

/** One lead, with the reasons of its score. */
export const leadQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'leads', 'one', userId],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/analytics/leads/{userId}', { params: { path: { userId }, query: { orgId } }, signal })),
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
