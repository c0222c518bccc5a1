/** Billing accounts and what they bought. */

import { queryOptions } from '@tanstack/react-query';
import { type AccountOut, listOf, type ProvisionOut, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { delayOf } from '~/shared/lib/retry.ts';
import { isUnderWay } from '../purchase.ts';

/** The server asks the payment provider no more often. */
const POLL_CAP_MS = 3000;
/** The longest page of a list. */
const PAGE = 100;

/** The accounts the person manages. The server answers 404 if there are none; `found` keeps the distinction. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => readAccounts(signal),
});

async function readAccounts(signal: AbortSignal): Promise<{ found: boolean; accounts: AccountOut[] }> {
  try {
    return { found: true, accounts: await listOf(api.GET('/v1/accounts', { signal })) };
  } catch (error) {
    if (statusOf(error) === 404) return { found: false, accounts: [] };
    throw error;
  }
}

/** The plans that can be bought, smallest first. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/plans', { signal })),
});

/** States of a purchase that is paid for, though its organisation may have been deleted. */
const LIVE = ['active', 'pastDue', 'suspended'];

/** The purchases of an account that were paid once, newest first. */
export const purchasesQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'purchases'],
    queryFn: async ({ signal }) => {
      const paid: ProvisionOut[] = [];
      for (let startAfter: string | undefined; ; ) {
        const query = startAfter === undefined ? { limit: PAGE } : { limit: PAGE, startAfter };
        const params = { path: { id: accountId }, query };
        const page = await listOf(api.GET('/v1/accounts/{id}/provisions', { params, signal }));
        paid.push(...page.filter(({ orgId, state }) => typeof orgId === 'string' || LIVE.includes(state)));
        if (page.length < PAGE) return paid;
        startAfter = page.at(-1)?.uid;
      }
    },
  });

/** A purchase with the account that it was found in. */
export interface FoundPurchase {
  accountId: string;
  purchase: ProvisionOut;
}

/** A purchase, looked for in the stored account and then in the others, polled with doubling delays while it is under way. */
export const purchaseQuery = (purchaseId: string, storedAccount: string | null) =>
  queryOptions({
    queryKey: ['purchase', purchaseId],
    queryFn: async ({ client, signal }): Promise<FoundPurchase | null> => {
      const before = client.getQueryData<FoundPurchase | null>(['purchase', purchaseId])?.accountId;
      const known = before ?? storedAccount;
      const found = known === null ? null : await findPurchase(known, purchaseId, signal);
      if (found !== null || before !== undefined) return found;
      // Bought in another tab or browser.
      for (const { uid } of (await readAccounts(signal)).accounts) {
        const other = uid === known ? null : await findPurchase(uid, purchaseId, signal);
        if (other !== null) return other;
      }
      return null;
    },
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) =>
      data === null || (data !== undefined && !isUnderWay(data.purchase))
        ? false
        : delayOf(dataUpdateCount + errorUpdateCount - 1, POLL_CAP_MS),
  });

/** Looks for a purchase among those of an account, newest first. Returns null if the account did not make it. */
async function findPurchase(id: string, purchaseId: string, signal: AbortSignal): Promise<FoundPurchase | null> {
  try {
    for (let startAfter: string | undefined; ; ) {
      const rest = startAfter === undefined ? { awaited: purchaseId } : { startAfter };
      const params = { path: { id }, query: { limit: PAGE, ...rest } };
      const page = await listOf(api.GET('/v1/accounts/{id}/provisions', { params, signal }));
      const purchase = page.find(({ uid }) => uid === purchaseId);
      if (purchase !== undefined) return { accountId: id, purchase };
      if (page.length < PAGE) return null;
      startAfter = page.at(-1)?.uid;
    }
  } catch (error) {
    // 400: the address of the page has no id of a purchase.
    if (statusOf(error) === 404 || statusOf(error) === 400) return null;
    throw error;
  }
}
