/** Memberships, organisations and what may be changed about them. */

import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, answerOf, listOf, type OrganisationOut, type OrganisationPatch, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { saveSeen } from '~/shared/api/save-seen.ts';
import { delayOf, retryOn } from '~/shared/lib/retry.ts';
import { reduceMemberships } from '../memberships.ts';
import { sameForm } from '../model.ts';
import { orgTexts } from '../texts.ts';

/** The person's organisations; a 404 means not ready yet and is asked again with doubling delay (spec section 4). */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/profiles/roles/detailed', { signal })).catch(tellOffline),
  select: reduceMemberships,
  // Asked even where the browser believes to be offline: the shell has to know, not to wait.
  networkMode: 'always',
  retry: (_failures, error) => statusOf(error) === 404,
  retryDelay: (failures) => delayOf(failures, 30_000),
  staleTime: 60_000,
});

/** Whether a load failed for want of a line, and not because of the server. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === OFFLINE;
}

const OFFLINE = 'offline';

/** Decided when the call fails, as the line may be back when the screen is drawn. */
function tellOffline(error: unknown): never {
  if (error instanceof ApiProblem && error.code === 'network' && !navigator.onLine) {
    throw new ApiProblem(error.status, error.message, OFFLINE);
  }
  throw error;
}

/** The person's organisations in full: theme, pins, joining link. */
export const organisationsQuery = queryOptions({
  queryKey: ['organisations'],
  queryFn: ({ signal }) => listOf(api.GET('/v1/organizations', { signal })),
  // Busy, or being replaced by a newer server: over in a moment.
  ...retryOn(429, 502, 503, 504),
});

/** One organisation in full. */
export const organisationQuery = (orgId: string) =>
  queryOptions({ ...organisationsQuery, select: (all) => all.find(({ uid }) => uid === orgId) ?? null });

const readOrganisation = async (orgId: string): Promise<OrganisationOut> => {
  const found = (await listOf(api.GET('/v1/organizations'))).find(({ uid }) => uid === orgId);
  if (found === undefined) throw new ApiProblem(404, orgTexts.notFound);
  return found;
};

const changeOrganisation = (orgId: string, organisation: OrganisationPatch): Promise<OrganisationOut> =>
  answerOf(api.PATCH('/v1/organizations/{id}', { params: { path: { id: orgId } }, body: { organisation } }));

/** Puts what a change has answered where every screen reads it. */
const keep = async (client: QueryClient, changed: OrganisationOut) => {
  client.setQueryData(organisationsQuery.queryKey, (all) =>
    all?.map((one) => (one.uid === changed.uid ? changed : one)),
  );
  await client.invalidateQueries({ queryKey: membershipsQuery.queryKey });
};

/** Changes of the settings. */
interface OrganisationEdit {
  /** The organisation as the person saw it. */
  seen: OrganisationOut;
  changes: OrganisationPatch;
  /** They were told that another person changed it. */
  anyway: boolean;
}

/** Saves the settings that were changed. Pins, and a joining link made meanwhile, are no conflict. */
export function useEditOrganisation(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ seen, changes, anyway }: OrganisationEdit) =>
      anyway
        ? changeOrganisation(orgId, changes)
        : saveSeen({
            seen,
            save: (timeModified) => changeOrganisation(orgId, { ...changes, timeModified }),
            read: () => readOrganisation(orgId),
            same: (now) => sameForm(seen, now),
          }),
    onSuccess: (changed) => keep(client, changed),
    meta: { failure: 'server' },
  });
}

/** Changes the pins, each time on the list as it is: the pins of another person stay. */
export function useChangePins(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: (pinned: readonly string[]) => string[]) => {
      const cached = client.getQueryData(organisationsQuery.queryKey)?.find(({ uid }) => uid === orgId);
      let now = cached ?? (await readOrganisation(orgId));
      return saveSeen({
        seen: now,
        save: (timeModified) =>
          changeOrganisation(orgId, { pinnedPlaylists: change(now.pinnedPlaylists), timeModified }),
        read: async () => {
          now = await readOrganisation(orgId);
          return now;
        },
        same: () => true,
      });
    },
    onSuccess: (changed) => keep(client, changed),
    meta: { failure: 'server' },
  });
}

/** Makes the joining link of a public organisation. */
export function useGenerateJoinUrl(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => answerOf(api.POST('/v1/organizations/{id}/joinUrl', { params: { path: { id: orgId } } })),
    onSuccess: ({ joinUrl }) =>
      client.setQueryData(organisationsQuery.queryKey, (all) =>
        all?.map((one) => (one.uid === orgId ? { ...one, publicJoinUrl: joinUrl } : one)),
      ),
    meta: { success: orgTexts.joinUrlGenerated, failure: 'server' },
  });
}
