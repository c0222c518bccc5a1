/** Playlist queries, one per endpoint; keys start with the organisation. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, listOf } from '@vitrine/api';
import { nextPage } from '~/features/content/model.ts';
import { api } from '~/shared/api/client.ts';
import type { Sort } from '../model.ts';
import { playlistKey } from './playlist-items.ts';

/** Filter and sort order of the list. */
export interface PlaylistFilter {
  search: string;
  sort: Sort;
}

/** The organisation's playlists, paged. */
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

/** Playlists offered at a time; others are found by typing their title. */
export const CHOICES = 50;

/** Playlists to choose from, filtered by title, newest first. */
export const playlistChoicesQuery = (orgId: string, search: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'playlists', 'choices', search],
    queryFn: ({ signal }) =>
      listOf(
        api.GET('/v1/playlists', {
          params: { query: { orgId, limit: CHOICES, ...(search === '' ? {} : { search }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const playlistQuery = (orgId: string, playlistId: string) =>
  queryOptions({
    queryKey: playlistKey(orgId, playlistId),
    queryFn: ({ signal }) => answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id: playlistId } }, signal })),
  });

/** The items of a playlist, in order. */
export const playlistContentQuery = (orgId: string, playlistId: string) =>
  queryOptions({
    queryKey: [...playlistKey(orgId, playlistId), 'content'],
    queryFn: ({ signal }) =>
      listOf(api.GET('/v1/playlists/{id}/content', { params: { path: { id: playlistId } }, signal })),
  });
