/** Deleted organisations of the person's billing accounts; deleting and restoring. */

import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AccountOut, answerOf, type DeletedOrganisationOut, listOf, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { membershipsKey } from '../memberships-key.ts';
import { deletionTexts } from '../parts/texts.ts';
import { organisationsQuery } from './org-queries.ts';

const key = ['deletedOrganisations'] as const;

/** The organisations that can still be restored, in all accounts that the person manages. */
export const deletedOrganisationsQuery = queryOptions({
  queryKey: key,
  queryFn: async ({ signal }) => {
    const found: DeletedOrganisationOut[] = [];
    for (const { uid } of await readAccounts(signal)) {
      const params = { path: { id: uid }, query: { limit: 100 } };
      found.push(...(await listOf(api.GET('/v1/accounts/{id}/deletedOrganizations', { params, signal }))));
    }
    return found;
  },
});

async function readAccounts(signal: AbortSignal): Promise<AccountOut[]> {
  try {
    return await listOf(api.GET('/v1/accounts', { signal }));
  } catch (error) {
    if (statusOf(error) === 404) return [];
    throw error;
  }
}

/** Reloads everything that depends on which organisations exist. */
const reload = (client: QueryClient) =>
  Promise.all(
    [membershipsKey, organisationsQuery.queryKey, ['accounts'], key].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  );

/** What is deleted, and whether its plan is canceled. */
interface Deletion {
  orgId: string;
  name: string;
  cancelPlan: boolean;
}

/** Deletes an organisation. The dialog shows why that failed. */
export function useDeleteOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ orgId, name, cancelPlan }: Deletion) => {
      const params = { path: { id: orgId } };
      await answerOf(api.DELETE('/v1/organizations/{id}', { params, body: { name, cancelPlan } }));
    },
    onSuccess: () => reload(client),
    meta: { success: deletionTexts.deleted },
  });
}

/** Restores a deleted organisation. The list shows why that failed. */
export function useRestoreOrganisation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (orgId: string) => {
      await answerOf(api.POST('/v1/organizations/{id}/restore', { params: { path: { id: orgId } } }));
    },
    onSuccess: () => reload(client),
    meta: { success: deletionTexts.restored },
  });
}
