/** Whether a loader starts the queries of a screen. */
import type { QueryClient } from '@tanstack/react-query';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { reduceMemberships } from '~/features/orgs/memberships.ts';
import { allows, type Policy } from '~/features/orgs/roles.ts';

/** Returns whether to prefetch. True while the memberships are not loaded: waiting for them would cost a round trip. */
export function mayOpen(queryClient: QueryClient, orgId: string, policy: Policy): boolean {
  if (queryClient.getQueryData(membershipsQuery.queryKey) === undefined) return true;
  const membership = known(queryClient, orgId);
  return membership !== undefined && allows(membership.role, policy);
}

/** Returns the person's membership, if it is loaded. */
export function known(queryClient: QueryClient, orgId: string) {
  const memberships = reduceMemberships(queryClient.getQueryData(membershipsQuery.queryKey) ?? []);
  return memberships.find(({ organisation }) => organisation.uid === orgId);
}
