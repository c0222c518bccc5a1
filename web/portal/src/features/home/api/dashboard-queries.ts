/** What Home shows first. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** Lifetime totals and the popular content. */
export const dashboardQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'dashboard'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/v1/organizations/{id}/dashboard', { params: { path: { id: orgId } }, signal })),
  });
