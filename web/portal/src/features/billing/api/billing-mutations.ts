/** Changes of billing accounts, and checkout. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type NewAccountIn } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { accountsQuery } from './billing-queries.ts';

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
