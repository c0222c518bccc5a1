/** What of the billing accounts is still loading. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { AccountOut } from '@vitrine/api';
import { organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { invoicesQuery, managersQuery, usageQuery } from './api/account-queries.ts';
import { plansQuery, purchasesQuery } from './api/billing-queries.ts';

/** Returns for each account what it waits for; the payment provider is the last to answer. A failed part counts as loaded. */
export function useLoading(accounts: readonly AccountOut[], isFree: boolean): readonly ('plans' | 'payment' | null)[] {
  const names = [useQuery(plansQuery), useQuery(organisationsQuery)].every(({ isFetched }) => isFetched);
  const ids = accounts.map(({ uid }) => uid);
  const purchases = useQueries({ queries: ids.map((uid) => purchasesQuery(uid)) });
  const usages = useQueries({ queries: ids.map((uid) => usageQuery(uid)) });
  const managers = useQueries({ queries: ids.map((uid) => managersQuery(uid)) });
  const invoices = useQueries({ queries: isFree ? [] : ids.map((uid) => invoicesQuery(uid)) });
  return ids.map((_, place) => {
    const parts = [purchases[place], usages[place], managers[place]];
    if (!names || parts.some((part) => part?.isFetched === false)) return 'plans';
    return invoices[place]?.isFetched === false ? 'payment' : null;
  });
}
