/** The people who manage a billing account, and what its organisations use of their plans. */

import { queryOptions } from '@tanstack/react-query';
import { listOf } from '@vitrine/api';
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
