/** The people who manage a billing account, and what its organisations use of their plans. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answerOf, listOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

export const managersQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'managers'],
    queryFn: ({ signal }) =>
      listOf(api.GET('/v1/accounts/{id}/managers', { params: { path: { id: accountId } }, signal })),
  });

export const usageQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'usage'],
    queryFn: ({ signal }) =>
      listOf(api.GET('/v1/accounts/{id}/usage', { params: { path: { id: accountId } }, signal })),
  });

/** The last invoices of an account, and the card that pays. The server asks the payment provider. */
export const invoicesQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'invoices'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/accounts/{id}/invoices', { params: { path: { id: accountId } }, signal })),
  });

/** The organisations that an account can have back by buying a plan. */
export const endedOrgsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'ended'],
    queryFn: ({ signal }) =>
      listOf(api.GET('/v1/accounts/{id}/endedOrganizations', { params: { path: { id: accountId } }, signal })),
  });

/** Entries per page of the audit log. */
const AUDIT_PAGE = 50;

/** The changes of an account, newest first. */
export const accountAuditQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: ['accounts', accountId, 'audit'],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === '' ? { limit: AUDIT_PAGE } : { limit: AUDIT_PAGE, startAfter: pageParam };
      return listOf(api.GET('/v1/accounts/{id}/audit', { params: { path: { id: accountId }, query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === AUDIT_PAGE ? page.at(-1)?.uid : undefined),
  });
