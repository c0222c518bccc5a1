/** Billing accounts, checkout and provisions. */

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AccountOut, answerOf, listOf, type NewAccountIn, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { delayOf } from '~/shared/lib/retry.ts';

const POLL_CAP_MS = 30_000;

/** The accounts the person manages. The server answers 404 if there are none; `found` keeps the distinction. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async ({ signal }): Promise<{ found: boolean; accounts: AccountOut[] }> => {
    try {
      return { found: true, accounts: await listOf(api.GET('/v1/accounts', { signal })) };
    } catch (error) {
      if (statusOf(error) === 404) return { found: false, accounts: [] };
      throw error;
    }
  },
});

/** The plans that can be bought, smallest first. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/plans', { signal })),
});

/** Creates a billing account; the idempotency key makes repeats safe. */
export function useCreateAccount(idempotencyKey: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (account: NewAccountIn) =>
      answerOf(api.POST('/v1/accounts', { body: { account }, headers: { 'Idempotency-Key': idempotencyKey } })),
    onSuccess: () => client.invalidateQueries({ queryKey: accountsQuery.queryKey }),
    meta: { failure: 'server' },
  });
}

/** Starts the checkout of a plan; the response has the payment URL. */
export function useCheckout(accountId: string) {
  return useMutation({
    mutationFn: (planId: string) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const params = { path: { id: accountId } };
      return answerOf(api.POST('/v1/accounts/{id}/checkout', { params, body: { planId, timeZone } }));
    },
    meta: { failure: 'server' },
  });
}

/** Opens a session on the provider's billing-management page. */
export function useManageBilling() {
  return useMutation({
    mutationFn: (accountId: string) =>
      answerOf(api.POST('/v1/accounts/{id}/manage', { params: { path: { id: accountId } } })),
    meta: { failure: 'server' },
  });
}

/** The provision of a purchase, polled with doubling delays until it is active. */
export const provisionQuery = (provisionId: string, accountId: string | null) =>
  queryOptions({
    queryKey: ['provision', provisionId],
    queryFn: async ({ signal }) => {
      const ids = accountId === null ? await accountIds(signal) : [accountId];
      const lists = await Promise.all(
        ids.map((id) => listOf(api.GET('/v1/accounts/{id}/provisions', { params: { path: { id } }, signal }))),
      );
      return lists.flat().find(({ uid }) => uid === provisionId) ?? null;
    },
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.active === true ? false : delayOf(state.dataUpdateCount + state.errorUpdateCount - 1, POLL_CAP_MS),
  });

/** Used if no account is stored, as in a browser other than the one that started the purchase. */
async function accountIds(signal: AbortSignal): Promise<string[]> {
  const accounts = await listOf(api.GET('/v1/accounts', { signal }));
  return accounts.map(({ uid }) => uid);
}
