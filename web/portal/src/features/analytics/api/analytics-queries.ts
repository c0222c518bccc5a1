/** Queries for an organisation's analytics. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { last28Days, type Range, spanOf, type Unit } from '../model.ts';

/** The ranges begin at midnight of the browser, so the buckets follow its zone too. */
const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Lifetime totals and the popular content. */
export const dashboardQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'dashboard'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{id}/dashboard', { params: { path: { id: orgId } }, signal })),
  });

/** Watch time of the organisation over a range. */
export const watchTimeQuery = (orgId: string, range: Range, unit: Unit) =>
  queryOptions({
    queryKey: ['org', orgId, 'watchTime', range, unit],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/watch_time', {
          params: { query: { orgId, ...spanOf(range, new Date(session.now())), unit, tz: timeZone() } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Watch time of one person over the last 28 days. */
export const personWatchTimeQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'watchTime', 'person', userId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/watch_time', {
          params: { query: { orgId, userId, ...last28Days(new Date(session.now())), unit: 'days', tz: timeZone() } },
          signal,
        }),
      ),
  });
