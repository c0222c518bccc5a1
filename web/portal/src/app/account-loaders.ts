/** Starts the queries of Settings, audit logs and the screens about plans. A file apart: Home and the sign-in do not load it. */
import { auditQuery } from '~/features/audit/api/audit-queries.ts';
import { accountAuditQuery } from '~/features/billing/api/account-queries.ts';
import { accountsQuery, plansQuery, purchaseQuery } from '~/features/billing/api/billing-queries.ts';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { methodsQuery } from '~/features/session/api/methods.ts';
import { keptConsentsQuery } from '~/features/settings/api/kept-consents.ts';
import { sessionsQuery } from '~/features/settings/api/session-queries.ts';
import { configQuery } from '~/shared/api/config.ts';
import { storage } from '~/shared/lib/storage.ts';
import type { LoaderArgs, OrgLoaderArgs } from './loaders.ts';
import { mayOpen } from './may-open.ts';
import { routePolicies } from './route-policies.ts';

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

export function settings({ context: { queryClient } }: LoaderArgs): void {
  void queryClient.prefetchQuery(methodsQuery);
  void queryClient.prefetchQuery(sessionsQuery);
  void queryClient.prefetchQuery(keptConsentsQuery);
  void queryClient.prefetchQuery(configQuery);
}

export function audit({ context: { queryClient }, params: { orgId } }: OrgLoaderArgs): void {
  if (!mayOpen(queryClient, orgId, routePolicies['/audit'])) return;
  void queryClient.prefetchInfiniteQuery(auditQuery(orgId, { action: null, userId: null }));
}
