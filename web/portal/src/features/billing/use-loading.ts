/** What of the billing accounts is still loading. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { AccountOut } from '@vitrine/api';
import { organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { managersQuery, usageQuery } from './api/account-queries.ts';
import { plansQuery, purchasesQuery } from './api/billing-queries.ts';

/**
 * Returns for each account whether its plans, their use or its managers are loading. A failed part counts as loaded. The
 * payment provider is not waited for.
 */
export function useLoading(accounts: readonly AccountOut[]): readonly boolean[] {
  const names = [useQuery(plansQuery), useQuery(organisationsQuery)].every(({ isFetched }) => isFetched);
  const ids = accounts.map(({ uid }) => uid);
  const purchases = useQueries({ queries: ids.map((uid) => purchasesQuery(uid)) });
  const usages = useQueries({ queries: ids.map((uid) => usageQuery(uid)) });
  const managers = useQueries({ queries: ids.map((uid) => managersQuery(uid)) });
  return ids.map((_, place) => {
    const parts = [purchases[place], usages[place], managers[place]];
    return !names || parts.some((part) => part?.isFetched === false);
  });
}
