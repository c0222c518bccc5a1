/** Addresses and switches the server gives every client. */

import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from './client.ts';

/** Loaded once; it changes only with a restart of the server. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => answerOf(api.GET('/v1/config', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});
