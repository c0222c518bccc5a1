/** Queries for an organisation's analytics. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import type { Unit } from '../model.ts';
import { type Range, spanOf } from '../ranges.ts';

/** Lifetime totals and the popular content. */
export const dashboardQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'dashboard'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{id}/dashboard', { params: { path: { id: orgId } }, signal })),
  });

/** Watch time of the organisation over a range, by days of its time zone. */
export const watchTimeQuery = (orgId: string, timeZone: string, range: Range, unit: Unit) =>
  queryOptions({
    queryKey: ['org', orgId, 'watchTime', timeZone, range, unit],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/watch_time', {
          params: { query: { orgId, ...spanOf(range, session.now(), timeZone), unit, tz: timeZone } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Watch time of one person over the last 28 days. */
export const personWatchTimeQuery = (orgId: string, timeZone: string, userId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'watchTime', 'person', timeZone, userId],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/watch_time', {
          params: { query: { orgId, userId, ...spanOf('28d', session.now(), timeZone), unit: 'days', tz: timeZone } },
          signal,
        }),
      ),
  });
