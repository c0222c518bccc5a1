/** People of an organisation, and invitations. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, listOf, type UserOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { delays, wait } from '~/shared/lib/retry.ts';
import type { ExportFilter } from '../model.ts';

/** Retries of the invite check after the first call. */
const INVITE_RETRIES = 6;
/** Invitations per page. */
const INVITES_PAGE = 20;

/** A longer page may be followed by another. */
const LAST_PAGE_LENGTH = 10;

interface PeopleFilter {
  search: string;
  admins: boolean;
}

const people = (
  orgId: string,
  query: { search?: string; admins?: boolean; startAfter?: string },
  signal: AbortSignal,
) =>
  answerOf(
    api.GET('/v1/organizations/{id}/users', {
      params: { path: { id: orgId }, query },
      signal,
    }),
  );

/** Returns the cursor of the next page, or undefined after the last one. */
function nextPage(page: readonly UserOut[]): string | undefined {
  return page.length > LAST_PAGE_LENGTH ? page.at(-1)?.userId : undefined;
}

/** Staff and app users, one record per person, paged. */
export const peopleQuery = (orgId: string, { search, admins }: PeopleFilter) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'people', { search, admins }],
    queryFn: ({ pageParam, signal }) =>
      people(
        orgId,
        {
          ...(search === '' ? {} : { search }),
          ...(admins ? { admins } : {}),
          ...(pageParam === '' ? {} : { startAfter: pageParam }),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ data }) => nextPage(data),
    placeholderData: keepPreviousData,
  });

/** The people as a CSV file, made by the server. */
export const exportPeople = (orgId: string, filter: ExportFilter): Promise<Blob> =>
  answerOf(
    api.GET('/v1/organizations/{id}/users/export', {
      params: { path: { id: orgId }, query: { filter } },
      parseAs: 'blob',
    }),
  );

/** Days of the recent activity. */
const ACTIVITY_DAYS = 28;

/** What a consenting person did in the last 28 days, newest first. */
export const historyQuery = (orgId: string, userId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'history', userId],
    queryFn: ({ signal }) => {
      const now = session.now();
      // The server's time is an estimate, and the clock of a sandbox may have been moved since.
      const end = now + 24 * 3600 * 1000;
      const start = now - ACTIVITY_DAYS * 24 * 3600 * 1000;
      return listOf(
        api.GET('/v1/organizations/{orgId}/users/{userId}/history', {
          params: {
            path: { orgId, userId },
            query: { timeStart: new Date(start).toISOString(), timeEnd: new Date(end).toISOString() },
          },
          signal,
        }),
      );
    },
  });

/** Invitations of viewers, or to the staff, that were neither accepted nor revoked, newest first. */
export const openInvitesQuery = (orgId: string, viewers: boolean) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'invites', { viewers }],
    queryFn: ({ pageParam, signal }) =>
      listOf(
        api.GET('/v1/organizations/{id}/invites', {
          params: { path: { id: orgId }, query: { viewers, ...(pageParam === '' ? {} : { startAfter: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === INVITES_PAGE ? page.at(-1)?.uid : undefined),
  });

/** Checks an invitation, retrying while it is pending. The call itself accepts it for the invited person. */
export const inviteQuery = (code: string, ownEmail: string) =>
  queryOptions({
    queryKey: ['invite', code, ownEmail],
    queryFn: async ({ signal }) => {
      for (const pause of [...delays(INVITE_RETRIES), null]) {
        const invite = await answerOf(api.GET('/v1/invites/{code}', { params: { path: { code } }, signal }));
        if (invite.userEmail.toLowerCase() !== ownEmail.toLowerCase()) return { accepted: false as const };
        if (invite.status === 'active') return { accepted: true as const, orgId: invite.orgId };
        if (pause === null) break;
        await wait(pause, signal);
      }
      return { accepted: false as const };
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
