/** Playlists and their items as app users see them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, listOf, type PlaylistOut } from '@vitrine/api';
import { api } from '~/shared/api.ts';
import { orSeenLast } from '~/shared/seen-last.ts';
import { nextPage, shown } from './model.ts';

const FIRST: string | undefined = undefined;

/** GET /playlists, paged. */
export function playlistsQuery(orgId: string) {
  return infiniteQueryOptions({
    queryKey: ['playlists', orgId],
    initialPageParam: FIRST,
    queryFn: ({ pageParam, signal }) => {
      const query = { orgId, ...(pageParam === undefined ? {} : { startAfter: pageParam }) };
      return orSeenLast(`playlists ${orgId} ${pageParam ?? ''}`, () =>
        listOf<PlaylistOut>(api.GET('/v1/playlists', { params: { query }, signal })),
      );
    },
    getNextPageParam: nextPage,
  });
}

/** GET /playlists/{id}. */
export function playlistQuery(id: string) {
  return queryOptions({
    queryKey: ['playlist', id],
    queryFn: ({ signal }) =>
      orSeenLast(`playlist ${id}`, () => answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } }, signal }))),
  });
}

/** GET /viewer/search. */
export function searchQuery(orgId: string, search: string) {
  return queryOptions({
    queryKey: ['search', orgId, search],
    queryFn: ({ signal }) => answerOf(api.GET('/v1/viewer/search', { params: { query: { orgId, search } }, signal })),
  });
}

/** Playback URLs expire after an hour; refetch well before that. */
const ADDRESSES_FRESH_MS = 20 * 60_000;

/** GET /playlists/{id}/content, in the playlist's order. */
export function itemsQuery(playlistId: string) {
  return queryOptions({
    queryKey: ['playlist', playlistId, 'items'],
    staleTime: ADDRESSES_FRESH_MS,
    gcTime: ADDRESSES_FRESH_MS,
    select: shown,
    queryFn: ({ signal }) =>
      orSeenLast(`items ${playlistId}`, () =>
        listOf(api.GET('/v1/playlists/{id}/content', { params: { path: { id: playlistId } }, signal })),
      ),
  });
}

/** POST /media/grants/renew: extends a playback URL by an hour. */
export function renewAddress(url: string): Promise<{ expiresIn: number }> {
  return answerOf(api.POST('/v1/media/grants/renew', { body: { url } }));
}
