/** Starts a screen's queries while its code is still loading, so that the two do not run in series. */
import type { QueryClient } from '@tanstack/react-query';
import { dashboardQuery, watchTimeQuery } from '~/features/analytics/api/analytics-queries.ts';
import { rangeOf } from '~/features/analytics/ranges.ts';
import { auditQuery } from '~/features/audit/api/audit-queries.ts';
import { accountAuditQuery } from '~/features/billing/api/account-queries.ts';
import { accountsQuery, plansQuery, purchaseQuery } from '~/features/billing/api/billing-queries.ts';
import { allContentQuery } from '~/features/content/api/content-queries.ts';
import { leadsQuery } from '~/features/leads/api/lead-queries.ts';
import { openInvitesQuery, peopleQuery } from '~/features/members/api/member-queries.ts';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { reduceMemberships } from '~/features/orgs/memberships.ts';
import { allows, type Policy } from '~/features/orgs/roles.ts';
import { deletedContentQuery, deletedPlaylistsQuery } from '~/features/playlists/api/deleted-queries.ts';
import { playlistContentQuery, playlistQuery, playlistsQuery } from '~/features/playlists/api/playlist-queries.ts';
import type { ContentSearch } from '~/features/playlists/search.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { methodsQuery } from '~/features/session/api/methods.ts';
import { keptConsentsQuery } from '~/features/settings/api/kept-consents.ts';
import { sessionsQuery } from '~/features/settings/api/session-queries.ts';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { routePolicies } from './route-policies.ts';

/** Arguments of a loader. */
interface LoaderArgs {
  context: { queryClient: QueryClient };
}

interface OrgLoaderArgs extends LoaderArgs {
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

export function analytics({
  context: { queryClient },
  params: { orgId },
  deps,
}: OrgLoaderArgs & { deps: { range?: string } }): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/analytics'])) return;
  const timeZone = known(queryClient, orgId)?.organisation.timeZone;
  if (timeZone === undefined) return;
  void queryClient.prefetchQuery(watchTimeQuery(orgId, timeZone, rangeOf(deps.range), 'days'));
}

export function leads({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (mayOpen(queryClient, orgId, routePolicies['/leads'])) void queryClient.prefetchInfiniteQuery(leadsQuery(orgId));
}

export function organisation({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (mayOpen(queryClient, orgId, routePolicies['/profile'])) void queryClient.prefetchQuery(organisationsQuery);
}

export function audit({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/audit'])) return;
  void queryClient.prefetchInfiniteQuery(auditQuery(orgId, { action: null, userId: null }));
}

export function settings({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(methodsQuery);
  void queryClient.prefetchQuery(sessionsQuery);
  void queryClient.prefetchQuery(keptConsentsQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function profile({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(profileQuery);
}

export function userDetails({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(profileQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function noPlan({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(membershipsQuery);
  void queryClient.prefetchQuery(configQuery);
  void queryClient.prefetchQuery(plansQuery);
}

export function accounts({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(accountsQuery);
  void queryClient.prefetchQuery(plansQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function createAccount({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(profileQuery);
  void queryClient.prefetchQuery(plansQuery);
}

export function accountAudit({
  context: { queryClient },
  params: { accountId },
}: LoaderArgs & { params: { accountId: string } }): void {
  void queryClient.prefetchQuery(accountsQuery);
  void queryClient.prefetchInfiniteQuery(accountAuditQuery(accountId));
}

export function plans({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(plansQuery);
}

export function checkout({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(configQuery);
  void queryClient.prefetchQuery(accountsQuery);
  void queryClient.prefetchQuery(plansQuery);
}

export function paymentSuccess({
  context: { queryClient },
  deps,
}: LoaderArgs & { deps: { provision_id: string } }): void {
  void queryClient.prefetchQuery(configQuery);
  void queryClient.prefetchQuery(plansQuery);
  if (deps.provision_id === '') return;
  void queryClient.prefetchQuery(purchaseQuery(deps.provision_id, storage.get('accountId')));
}

/** Returns whether to prefetch. True while the memberships are not loaded: waiting for them would cost a round trip. */
function mayOpen(queryClient: QueryClient, orgId: string, policy: Policy): boolean {
  if (queryClient.getQueryData(membershipsQuery.queryKey) === undefined) return true;
  const membership = known(queryClient, orgId);
  return membership !== undefined && allows(membership.role, policy);
}

/** Returns the person's membership, if it is loaded. */
function known(queryClient: QueryClient, orgId: string) {
  const memberships = reduceMemberships(queryClient.getQueryData(membershipsQuery.queryKey) ?? []);
  return memberships.find(({ organisation }) => organisation.uid === orgId);
}
