/** The audit log. */

import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type AuditAction, listOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** Entries per page of the audit log. */
const AUDIT_PAGE = 50;

/** Which entries of the audit log to show; null shows all. */
export interface AuditFilter {
  action: AuditAction | null;
  userId: string | null;
}

/** The audit log, newest first. */
export const auditQuery = (orgId: string, { action, userId }: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'audit', { action, userId }],
    queryFn: ({ pageParam, signal }) =>
      listOf(
        api.GET('/v1/organizations/{id}/audit', {
          params: {
            path: { id: orgId },
            query: {
              limit: AUDIT_PAGE,
              ...(action === null ? {} : { action }),
              ...(userId === null ? {} : { userId }),
              ...(pageParam === '' ? {} : { startAfter: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length === AUDIT_PAGE ? page.at(-1)?.uid : undefined),
    placeholderData: keepPreviousData,
  });
