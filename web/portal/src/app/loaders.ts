/** Starts the queries of a screen while its files are still on their way; the screen finds them running, or answered. */
import type { QueryClient } from '@tanstack/react-query';
import { dashboardQuery, watchTimeQuery } from '~/features/analytics/api/analytics-queries.ts';
import { rangeOf } from '~/features/analytics/model.ts';
import { accountsQuery, provisionQuery } from '~/features/billing/api/billing-queries.ts';
import { allContentQuery } from '~/features/content/api/content-queries.ts';
import { leadsQuery } from '~/features/leads/api/lead-queries.ts';
import { peopleQuery } from '~/features/members/api/member-queries.ts';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { reduceMemberships } from '~/features/orgs/memberships.ts';
import { allows, type Policy } from '~/features/orgs/roles.ts';
import { playlistContentQuery, playlistQuery, playlistsQuery } from '~/features/playlists/api/playlist-queries.ts';
import type { ContentSearch } from '~/features/playlists/search.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { methodsQuery } from '~/features/session/api/methods.ts';
import { sessionsQuery } from '~/features/settings/api/session-queries.ts';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import { routePolicies } from './route-policies.ts';

/** The part of the router's arguments that every loader uses. */
interface Arrival {
  context: { queryClient: QueryClient };
}

interface InOrg extends Arrival {
  params: { orgId: string };
}

/** Memberships and the profile: the frame and most screens need both. */
export function shell({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(membershipsQuery);
  void queryClient.prefetchQuery(profileQuery);
}

export function home({ context: { queryClient }, params: { orgId } }: InOrg): void {
  if (mayOpen(queryClient, orgId, routePolicies['/home'])) void queryClient.prefetchQuery(dashboardQuery(orgId));
}

export function playlists({
  context: { queryClient },
  params: { orgId },
  deps,
}: InOrg & { deps: ContentSearch }): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/playlists'])) return;
  const { tab, search = '', sort = 'new', kind = null, loose = false } = deps;
  if (tab === 'all') {
    void queryClient.prefetchInfiniteQuery(allContentQuery(orgId, { search, kind, loose }));
    return;
  }
  void queryClient.prefetchInfiniteQuery(playlistsQuery(orgId, { search, sort }));
  void queryClient.prefetchQuery(organisationsQuery);
}

export function playlist({
  context: { queryClient },
  params,
}: Arrival & { params: { orgId: string; playlistId: string } }): void {
  const { orgId, playlistId } = params;
  if (!mayOpen(queryClient, orgId, routePolicies['/playlists/$playlistId'])) return;
  void queryClient.prefetchQuery(playlistQuery(orgId, playlistId));
  void queryClient.prefetchQuery(playlistContentQuery(orgId, playlistId));
}

export function users({ context: { queryClient }, params: { orgId } }: InOrg): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/users'])) return;
  void queryClient.prefetchInfiniteQuery(peopleQuery(orgId, { search: '', admins: false }));
}

export function analytics({
  context: { queryClient },
  params: { orgId },
  deps,
}: InOrg & { deps: { range?: string } }): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/analytics'])) return;
  void queryClient.prefetchQuery(watchTimeQuery(orgId, rangeOf(deps.range), 'days'));
}

export function leads({ context: { queryClient }, params: { orgId } }: InOrg): void {
  if (mayOpen(queryClient, orgId, routePolicies['/leads'])) void queryClient.prefetchInfiniteQuery(leadsQuery(orgId));
}

export function organisation({ context: { queryClient }, params: { orgId } }: InOrg): void {
  if (mayOpen(queryClient, orgId, routePolicies['/profile'])) void queryClient.prefetchQuery(organisationsQuery);
}

export function settings({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(methodsQuery);
  void queryClient.prefetchQuery(sessionsQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function profile({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(profileQuery);
}

export function userDetails({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(profileQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function noPlan({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(membershipsQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function accounts({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(accountsQuery);
}

export function checkout({ context: { queryClient } }: Arrival): void {
  void queryClient.prefetchQuery(configQuery);
}

export function paymentSuccess({ context: { queryClient }, deps }: Arrival & { deps: { provision_id: string } }): void {
  void queryClient.prefetchQuery(configQuery);
  if (deps.provision_id === '') return;
  void queryClient.prefetchQuery(provisionQuery(deps.provision_id, storage.get('accountId')));
}

/** Whether it is worth asking: true as long as the memberships are not known, as waiting for them would cost a trip. */
function mayOpen(queryClient: QueryClient, orgId: string, policy: Policy): boolean {
  const known = queryClient.getQueryData(membershipsQuery.queryKey);
  if (known === undefined) return true;
  const membership = reduceMemberships(known).find(({ organisation }) => organisation.uid === orgId);
  return membership !== undefined && allows(membership.role, policy);
}
