/** The person's sessions. */

import { queryOptions } from '@tanstack/react-query';
import { listOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** The person's open sessions. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/auth/sessions', { signal })),
});
