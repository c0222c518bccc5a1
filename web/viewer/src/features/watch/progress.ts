/** How far the person is in the organisation's items: read once, kept up to date on this page, saved at the server. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ItemProgressOut, statusOf } from '@vitrine/api';
import type { PlaybackPosition } from '@vitrine/player';
import { useCallback, useEffect, useMemo } from 'react';
import { api } from '~/shared/api.ts';
import { orSeenLast } from '~/shared/seen-last.ts';
import { session } from '~/shared/session.ts';
import { useBadge } from './badge.ts';
import { ProgressSaver, type SavePositions } from './progress-saver.ts';

/** GET /organizations/{id}/users/me/progress. */
export function progressQuery(orgId: string) {
  return queryOptions({
    queryKey: ['progress', orgId],
    queryFn: ({ signal }) =>
      orSeenLast(`progress ${orgId}`, () =>
        answerOf(api.GET('/v1/organizations/{id}/users/me/progress', { params: { path: { id: orgId } }, signal })),
      ),
  });
}

/** PUT /organizations/{id}/users/me/progress; `keepalive` lets the last position outlive the page. */
const savePositions: SavePositions = async (orgId, items) => {
  const sent = api.PUT('/v1/organizations/{id}/users/me/progress', {
    params: { path: { id: orgId } },
    body: { items },
    keepalive: true,
  });
  try {
    await answerOf(sent);
    return true;
  } catch (error) {
    const status = statusOf(error);
    // A refusal would be repeated; anything else may pass.
    return status >= 400 && status < 500 && status !== 401 && status !== 429;
  }
};

const saver = new ProgressSaver({ save: savePositions, owner: session.person, now: session.now });

/** Returns a function that takes positions of items of an organisation. */
export function usePlaces(orgId: string): (contentId: string, playlistId: string, place: PlaybackPosition) => void {
  const client = useQueryClient();
  return useCallback(
    (contentId: string, playlistId: string, place: PlaybackPosition) => {
      saver.add(orgId, { contentId, playlistId }, place);
      if (place.settled) void forget(client, orgId);
    },
    [client, orgId],
  );
}

/** Marks what is known as old, so that the next screen asks again. */
function forget(client: QueryClient, orgId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: progressQuery(orgId).queryKey, refetchType: 'none' });
}

/** The progress in items, by their ids. */
export type ProgressByItem = ReadonlyMap<string, ItemProgressOut>;

/** Returns the progress by item; empty until it is loaded, and if it cannot be loaded. */
export function useProgress(orgId: string): ProgressByItem {
  const { data } = useQuery(progressQuery(orgId));
  return useMemo(() => new Map(data?.items.map((item) => [item.contentId, item])), [data]);
}

const seenHome = new Set<string>();

/** On Home, where the new items are seen: no number on the icon from now on. */
export function useNewItemsSeen(orgId: string): void {
  useEffect(() => {
    seenHome.add(keyOf(orgId));
  }, [orgId]);
  useBadge(0);
}

/** On other screens: the number of new items on the icon, until Home is seen. */
export function useNewItemsBadge(orgId: string): void {
  const { data } = useQuery(progressQuery(orgId));
  useBadge(seenHome.has(keyOf(orgId)) ? 0 : data?.newItems.length);
}

const visited = new Set<string>();

/** Tells the server, once a page and organisation, that the person is there; what is new counts from the last visit. */
export function useLastVisit(orgId: string): void {
  useEffect(() => {
    const key = keyOf(orgId);
    if (visited.has(key)) return;
    visited.add(key);
    void savePositions(orgId, []);
  }, [orgId]);
}

/** What is new is read again, counted from the last visit, and this visit is the last one then. */
export async function beginVisit(client: QueryClient, orgId: string): Promise<void> {
  seenHome.delete(keyOf(orgId));
  await client.invalidateQueries({ queryKey: progressQuery(orgId).queryKey });
  await savePositions(orgId, []);
}

function keyOf(orgId: string): string {
  return `${session.person()} ${orgId}`;
}
