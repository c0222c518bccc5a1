/** Reading playlists: one declaration an endpoint; keys begin with the organisation. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, listOf } from '@vitrine/api';
import { PROCESSING_POLL_MS } from '~/features/content/api/content-queries.ts';
import { playlistKey } from '~/features/content/api/shelf.ts';
import { isProcessing, nextPage } from '~/features/content/model.ts';
import { api } from '~/shared/api/client.ts';
import type { Sort } from '../model.ts';

/** What the list is narrowed to. */
export interface PlaylistFilter {
  search: string;
  sort: Sort;
}

/** The organisation's playlists, page by page. */
export const playlistsQuery = (orgId: string, { search, sort }: PlaylistFilter) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'playlists', { search, sort }],
    queryFn: ({ pageParam, signal }) =>
      listOf(
        api.GET('/v1/playlists', {
          params: {
            query: {
              orgId,
              ...(search === '' ? {} : { search }),
              ...(sort === 'new' ? {} : { sort }),
              ...(pageParam === '' ? {} : { startAfter: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });

/** One playlist. */
export const playlistQuery = (orgId: string, playlistId: string) =>
  queryOptions({
    queryKey: playlistKey(orgId, playlistId),
    queryFn: ({ signal }) => answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id: playlistId } }, signal })),
  });

/** The items of a playlist, in order; asked for again while one of them is being processed. */
export const playlistContentQuery = (orgId: string, playlistId: string) =>
  queryOptions({
    queryKey: [...playlistKey(orgId, playlistId), 'content'],
    queryFn: ({ signal }) =>
      listOf(api.GET('/v1/playlists/{id}/content', { params: { path: { id: playlistId } }, signal })),
    refetchInterval: ({ state }) => (state.data?.some(isProcessing) ? PROCESSING_POLL_MS : false),
  });
