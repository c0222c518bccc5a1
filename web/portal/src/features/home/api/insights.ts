/** What Home loads after its first paint. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, listOf } from '@vitrine/api';
import { spanOf } from '~/features/analytics/ranges.ts';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';

/** People who joined in the last 28 days, and in the 28 before. */
export const newPeopleQuery = (orgId: string, timeZone: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'people', 'summary', timeZone],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/organizations/{id}/users/summary', {
          params: { path: { id: orgId }, query: spanOf('28d', session.now(), timeZone) },
          signal,
        }),
      ),
  });

/** New leads of the last 28 days, and the hottest leads. */
export const newLeadsQuery = (orgId: string, timeZone: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'leads', 'summary', timeZone],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/leads/summary', {
          params: { query: { orgId, ...spanOf('28d', session.now(), timeZone) } },
          signal,
        }),
      ),
  });

/** Entries of the recent activity. */
const ENTRIES = 8;

/** What consenting people did, newest first. */
export const activityQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'activity'],
    queryFn: async ({ signal }) => {
      const query = { orgId, limit: ENTRIES };
      return (await answerOf(api.GET('/v1/analytics/activity', { params: { query }, signal }))).data;
    },
  });

/** Most items that a page of the list has. */
const PAGE = 100;

/** The newest items whose processing failed, and whether there may be more. */
export const failedContentQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'content', 'failed'],
    queryFn: async ({ signal }) => {
      const query = { orgId, processing: 'failed' as const, limit: PAGE };
      const items = await listOf(api.GET('/v1/content', { params: { query }, signal }));
      return { items: items.map(({ uid, title }) => ({ uid, title })), more: items.length === PAGE };
    },
  });
