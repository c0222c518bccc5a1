/** The organisations a person has joined. */
import { queryOptions } from '@tanstack/react-query';
import { listOf } from '@vitrine/api';
import { api } from '~/shared/api.ts';

/** GET /viewer/organizations. */
export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/viewer/organizations', { signal })),
});
