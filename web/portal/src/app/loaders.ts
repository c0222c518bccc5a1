/** Starts a screen's queries while its code is still loading, so that the two do not run in series. */
import type { QueryClient } from '@tanstack/react-query';
import { allContentQuery } from '~/features/content/api/content-queries.ts';
import { dashboardQuery } from '~/features/home/api/dashboard-queries.ts';
import { openInvitesQuery, peopleQuery } from '~/features/members/api/member-queries.ts';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { deletedContentQuery, deletedPlaylistsQuery } from '~/features/playlists/api/deleted-queries.ts';
import { playlistContentQuery, playlistQuery, playlistsQuery } from '~/features/playlists/api/playlist-queries.ts';
import type { ContentSearch } from '~/features/playlists/search.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { configQuery } from '~/shared/api/config.ts';
import { mayOpen } from './may-open.ts';
import { routePolicies } from './route-policies.ts';

/** Arguments of a loader. */
export interface LoaderArgs {
  context: { queryClient: QueryClient };
}

export interface OrgLoaderArgs extends LoaderArgs {
  params: { orgId: string };
}

/** Prefetches memberships and the profile, which the shell and most screens need. */
export function shell({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(membershipsQuery);
  void queryClient.prefetchQuery(profileQuery);
}

export function home({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (mayOpen(queryClient, orgId, routePolicies['/home'])) void queryClient.prefetchQuery(dashboardQuery(orgId));
}

export function playlists({
  context: { queryClient },
  params: { orgId },
  deps,
}: OrgLoaderArgs & { deps: ContentSearch }): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/playlists'])) return;
  const { tab, search = '', sort = 'new', kind = null, loose = false } = deps;
  if (tab === 'all') {
    void queryClient.prefetchInfiniteQuery(allContentQuery(orgId, { search, kind, loose }));
    return;
  }
  if (tab === 'deleted') {
    void queryClient.prefetchInfiniteQuery(deletedPlaylistsQuery(orgId));
    void queryClient.prefetchInfiniteQuery(deletedContentQuery(orgId));
    return;
  }
  void queryClient.prefetchInfiniteQuery(playlistsQuery(orgId, { search, sort }));
  void queryClient.prefetchQuery(organisationsQuery);
}

export function playlist({
  context: { queryClient },
  params,
}: LoaderArgs & { params: { orgId: string; playlistId: string } }): void {
  const { orgId, playlistId } = params;
  if (!mayOpen(queryClient, orgId, routePolicies['/playlists/$playlistId'])) return;
  void queryClient.prefetchQuery(playlistQuery(orgId, playlistId));
  void queryClient.prefetchQuery(playlistContentQuery(orgId, playlistId));
}

export function users({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/users'])) return;
  void queryClient.prefetchQuery(organisationsQuery);
  for (const viewers of [false, true]) void queryClient.prefetchInfiniteQuery(openInvitesQuery(orgId, viewers));
  void queryClient.prefetchInfiniteQuery(peopleQuery(orgId, { search: '', admins: false }));
}

export function organisation({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (mayOpen(queryClient, orgId, routePolicies['/profile'])) void queryClient.prefetchQuery(organisationsQuery);
}

export function profile({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(profileQuery);
}

export function userDetails({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(profileQuery);
  void queryClient.prefetchQuery(configQuery);
}
