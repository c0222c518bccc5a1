/** Memberships and organisations: queries and mutations. */

import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  ApiProblem,
  answerOf,
  listOf,
  messageOf,
  type OrganisationIn,
  type OrganisationOut,
  statusOf,
} from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { saveUnlessChanged } from '~/shared/api/save-unless-changed.ts';
import { delayOf, retryOn } from '~/shared/lib/retry.ts';
import { reduceMemberships } from '../memberships.ts';
import { membershipsKey } from '../memberships-key.ts';
import { sameForm } from '../model.ts';
import { orgTexts } from '../texts.ts';

/** The person's memberships. A 404 means the profile is not ready yet, so it is retried with doubling delays. */
export const membershipsQuery = queryOptions({
  queryKey: membershipsKey,
  queryFn: ({ signal }) => listOf(api.GET('/v1/profiles/roles/detailed', { signal })).catch(tellOffline),
  select: reduceMemberships,
  // Runs even if the browser reports offline, so that the shell fails fast instead of waiting.
  networkMode: 'always',
  retry: (_failures, error) => statusOf(error) === 404,
  retryDelay: (failures) => delayOf(failures, 30_000),
  staleTime: 60_000,
});

/** Returns whether a load failed because the browser was offline. */
export function isOffline(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === OFFLINE;
}

const OFFLINE = 'offline';

/** Marks the error when the call fails: the browser may be online again by the time it is rendered. */
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
  // Busy, or restarting during a deploy; both pass quickly.
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

const changeOrganisation = (orgId: string, organisation: OrganisationIn): Promise<OrganisationOut> =>
  answerOf(api.PATCH('/v1/organizations/{id}', { params: { path: { id: orgId } }, body: { organisation } }));

/** Writes a changed organisation to the cache. */
const keep = async (client: QueryClient, changed: OrganisationOut) => {
  client.setQueryData(organisationsQuery.queryKey, (all) =>
    all?.map((one) => (one.uid === changed.uid ? changed : one)),
  );
  await client.invalidateQueries({ queryKey: membershipsQuery.queryKey });
};

/** An edit of the settings. */
interface OrganisationEdit {
  /** The version that the changes replace: the one on the form, or the one that the person was warned about. */
  base: OrganisationOut;
  changes: OrganisationIn;
  /** Called with the version of another person that the edit met. */
  onNewer: (now: OrganisationOut) => void;
}

/** Saves changed settings. Concurrent changes to pins or the joining link are not a conflict. */
export function useEditOrganisation(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ base, changes, onNewer }: OrganisationEdit) =>
      saveUnlessChanged({
        base,
        save: (timeModified) => changeOrganisation(orgId, { ...changes, timeModified }),
        read: () => readOrganisation(orgId),
        same: (now) => {
          onNewer(now);
          return sameForm(base, now);
        },
      }),
    onSuccess: (changed) => keep(client, changed),
    // The form itself tells of another person's change.
    meta: { failure: (error) => (statusOf(error) === 409 ? null : messageOf(error)) },
  });
}

/** Applies a change to the current pins, so that another person's pins are kept. */
export function useChangePins(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: (pinned: readonly string[]) => string[]) => {
      const cached = client.getQueryData(organisationsQuery.queryKey)?.find(({ uid }) => uid === orgId);
      let now = cached ?? (await readOrganisation(orgId));
      return saveUnlessChanged({
        base: now,
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

/** Generates the joining link of a public organisation, or replaces it. */
export function useGenerateJoinUrl(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rotate: boolean) =>
      answerOf(api.POST('/v1/organizations/{id}/joinUrl', { params: { path: { id: orgId } }, body: { rotate } })),
    onSuccess: ({ joinUrl }) =>
      client.setQueryData(organisationsQuery.queryKey, (all) =>
        all?.map((one) => (one.uid === orgId ? { ...one, publicJoinUrl: joinUrl } : one)),
      ),
    meta: { success: orgTexts.joinUrlGenerated, failure: 'server' },
  });
}
