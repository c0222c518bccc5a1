/** Playlists and content that were deleted recently. */

import { infiniteQueryOptions } from '@tanstack/react-query';
import { listOf } from '@vitrine/api';
import { nextPage } from '~/features/content/model.ts';
import { api } from '~/shared/api/client.ts';

/** Deleted playlists, the latest deletion first. */
export const deletedPlaylistsQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'deleted', 'playlists'],
    queryFn: ({ pageParam, signal }) =>
      listOf(api.GET('/v1/playlists/deleted', { params: { query: pageOf(orgId, pageParam) }, signal })),
    initialPageParam: '',
    getNextPageParam: nextPage,
  });

/** Deleted content, the latest deletion first. */
export const deletedContentQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'deleted', 'content'],
    queryFn: ({ pageParam, signal }) =>
      listOf(api.GET('/v1/content/deleted', { params: { query: pageOf(orgId, pageParam) }, signal })),
    initialPageParam: '',
    getNextPageParam: nextPage,
  });

const pageOf = (orgId: string, startAfter: string) => ({ orgId, ...(startAfter === '' ? {} : { startAfter }) });
