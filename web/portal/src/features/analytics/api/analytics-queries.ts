/** Queries for the numbers of an organisation, its content and its people. */

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import type { Unit } from '../model.ts';
import { type Range, type Span, spanBefore, spanOf } from '../ranges.ts';
import { dayStart } from '../time-zone.ts';

/** Watch time of the organisation over a range, by days of its time zone. */
export const watchTimeQuery = (orgId: string, timeZone: string, range: Range, unit: Unit) =>
  queryOptions({
    queryKey: ['org', orgId, 'watchTime', timeZone, range, unit],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/watch_time', {
          params: { query: { orgId, ...spanOf(range, session.now(), timeZone), unit } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Watch time of each of the same number of days before. */
export const watchTimeBeforeQuery = (orgId: string, timeZone: string, range: Range) =>
  queryOptions({
    queryKey: ['org', orgId, 'watchTime', 'before', timeZone, range],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/watch_time', {
          params: { query: { orgId, ...spanBefore(range, session.now(), timeZone), unit: 'days' } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Views, watch time, top lists and hours of a range, with the totals of the range before. */
export const overviewQuery = (orgId: string, timeZone: string, range: Range | '28d') =>
  queryOptions({
    queryKey: ['org', orgId, 'overview', timeZone, range],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/overview', {
          params: { query: { orgId, ...spanOf(range, session.now(), timeZone) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Views that counted, and those that did not. */
export const verdictsQuery = (orgId: string, timeZone: string, range: Range) =>
  queryOptions({
    queryKey: ['org', orgId, 'verdicts', timeZone, range],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/verdicts', {
          params: { query: { orgId, ...spanOf(range, session.now(), timeZone) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** Numbers of one content item. */
export const contentReportQuery = (orgId: string, timeZone: string, id: string, range: Range) =>
  queryOptions({
    queryKey: ['org', orgId, 'report', 'content', id, timeZone, range],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/content/{id}', {
          params: { path: { id }, query: spanOf(range, session.now(), timeZone) },
          signal,
        }),
      ),
    // Numbers of another item must not be shown under this one.
    placeholderData: (before, query) => (query?.queryKey[4] === id ? before : undefined),
  });

/** Numbers of one playlist. */
export const playlistReportQuery = (orgId: string, timeZone: string, id: string, range: Range) =>
  queryOptions({
    queryKey: ['org', orgId, 'report', 'playlist', id, timeZone, range],
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/v1/analytics/playlists/{id}', {
          params: { path: { id }, query: spanOf(range, session.now(), timeZone) },
          signal,
        }),
      ),
    placeholderData: (before, query) => (query?.queryKey[4] === id ? before : undefined),
  });

/** The series of a person, as the API names them. */
export type PersonSeries = 'watch_time' | 'visits' | 'views';

/** What one person did over the last 28 days, by days. */
export const personSeriesQuery = (orgId: string, timeZone: string, userId: string, series: PersonSeries) =>
  queryOptions({
    queryKey: ['org', orgId, 'person', userId, series, timeZone],
    queryFn: ({ signal }) => {
      const query = { orgId, userId, ...spanOf('28d', session.now(), timeZone), unit: 'days' as const };
      return answerOf(api.GET(`/v1/analytics/${series}`, { params: { query }, signal }));
    },
  });

/** Start and end of the year until last midnight in the zone. */
function lastYear(now: number, zone: string): Span {
  const [start, end] = [dayStart(now, zone, { months: 12 }), dayStart(now, zone)];
  return { startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() };
}

/** What one person watches most: over the 28 days of the charts, or over the year until last midnight. */
export const personTotalsQuery = (orgId: string, timeZone: string, userId: string, over: '28d' | 'year') =>
  queryOptions({
    queryKey: ['org', orgId, 'person', userId, 'totals', over, timeZone],
    queryFn: ({ signal }) => {
      const now = session.now();
      const { startTime, endTime } = over === '28d' ? spanOf(over, now, timeZone) : lastYear(now, timeZone);
      const query = { orgId, startDate: startTime, endDate: endTime };
      return answerOf(api.GET('/v1/analytics/users/{userId}', { params: { path: { userId }, query }, signal }));
    },
  });
