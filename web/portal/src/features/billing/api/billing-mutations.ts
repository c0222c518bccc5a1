/** Changes of billing accounts, and checkout. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AccountChangeIn, answerOf, type NewAccountIn } from '@vitrine/api';
import { membershipsQuery, organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { api } from '~/shared/api/client.ts';
import { billingTexts } from '../texts.ts';
import { managersQuery } from './account-queries.ts';
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

/** What is bought. */
interface Order {
  planId: string;
  /** The ended organisation that the plan is for, or NEW_ORGANISATION. The server chooses if it is absent. */
  organisation?: string;
}

/** Starts the checkout of a plan; the response has the payment URL. The page shows why that failed. */
export function useCheckout(accountId: string) {
  return useMutation({
    mutationFn: (order: Order) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const params = { path: { id: accountId } };
      return answerOf(api.POST('/v1/accounts/{id}/checkout', { params, body: { ...order, timeZone } }));
    },
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

/** Changes details of an account; only what is sent. */
export function useChangeAccount(accountId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (account: AccountChangeIn) =>
      answerOf(api.PATCH('/v1/accounts/{id}', { params: { path: { id: accountId } }, body: { account } })),
    onSuccess: () => {
      const reload = () => client.invalidateQueries({ queryKey: accountsQuery.queryKey, exact: true });
      // By then the payment provider has said what it thinks of the details.
      setTimeout(() => void reload(), 4000);
      return reload();
    },
    meta: { success: billingTexts.detailsSaved, failure: 'server' },
  });
}

/** Lets a person manage the account. The form shows why that failed. */
export function useAddManager(accountId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (email: string) =>
      answerOf(api.POST('/v1/accounts/{id}/managers', { params: { path: { id: accountId } }, body: { email } })),
    onSuccess: () => client.invalidateQueries({ queryKey: managersQuery(accountId).queryKey }),
    meta: { success: billingTexts.managerAdded },
  });
}

/** Ends the right of a person to manage the account. */
export function useRemoveManager(accountId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (uid: string) => {
      await answerOf(api.DELETE('/v1/accounts/{id}/managers/{uid}', { params: { path: { id: accountId, uid } } }));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: accountsQuery.queryKey }),
    meta: { success: billingTexts.managerRemoved, failure: 'server' },
  });
}

/** Creates an organisation of the account if payment is turned off; the form shows why that failed. */
export function useCreateOrganisation(accountId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return answerOf(api.POST('/v1/organizations', { body: { organisation: { name, accountId, timeZone } } }));
    },
    onSuccess: async () => {
      client.removeQueries({ queryKey: organisationsQuery.queryKey });
      await client.fetchQuery({ ...membershipsQuery, staleTime: 0 }).catch(() => undefined);
    },
  });
}
