/** Changes of roles and invitations. */

import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type InvitedOut, listOf, type Role, type UserOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { VIEWERS_IN_REQUEST } from '../model.ts';
import { memberTexts } from '../texts.ts';

interface PeoplePage {
  data: UserOut[];
  total: number;
}

const people = (orgId: string) => ['org', orgId, 'people'];
const invites = (orgId: string) => ['org', orgId, 'invites'];

/** The membership that a person was given. */
export type GivenRole = Pick<UserOut, 'role' | 'membershipId' | 'blocked'>;

/** Shows the new role in every loaded list. */
function keepRole(client: QueryClient, orgId: string, userId: string, given: GivenRole): void {
  client.setQueriesData<InfiniteData<PeoplePage>>({ queryKey: people(orgId) }, (loaded) =>
    loaded === undefined
      ? undefined
      : {
          ...loaded,
          pages: loaded.pages.map((page) => ({
            ...page,
            data: page.data.map((one) => (one.userId === userId ? { ...one, ...given } : one)),
          })),
        },
  );
}

/** Gives a person another role. */
export function useChangeRole(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, role }: { userId: string; role: Role }): Promise<GivenRole> => {
      const given = await answerOf(
        api.POST('/v1/organizations/{id}/roles', { params: { path: { id: orgId } }, body: { userId, role } }),
      );
      // A role lifts a block.
      return { role: given.role, membershipId: given.uid, blocked: false };
    },
    onSuccess: (given, { userId }) => keepRole(client, orgId, userId, given),
    // Not awaited: every loaded page is read again, and the new role is shown already.
    onSettled: () => void client.invalidateQueries({ queryKey: people(orgId) }),
    meta: { failure: 'server' },
  });
}

/** Removes a person from the organisation; a block keeps the person from rejoining. */
export function useRemovePerson(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ userId, membershipId, block }: { userId: string; membershipId: string; block: boolean }) => {
      await (block
        ? answerOf(api.PUT('/v1/organizations/{id}/users/{userId}/block', { params: { path: { id: orgId, userId } } }))
        : answerOf(
            api.DELETE('/v1/organizations/{id}/roles/{uid}', { params: { path: { id: orgId, uid: membershipId } } }),
          ));
    },
    // A block revokes the person's invitations.
    onSettled: () =>
      Promise.all([people(orgId), invites(orgId)].map((queryKey) => client.invalidateQueries({ queryKey }))),
    meta: { success: memberTexts.removed, failure: 'server' },
  });
}

/** Keeps a person who left from rejoining, or lets the person join again. */
export function useSetBlocked(orgId: string, blocked: boolean) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (userId: string) => {
      const params = { path: { id: orgId, userId } };
      await (blocked
        ? answerOf(api.PUT('/v1/organizations/{id}/users/{userId}/block', { params }))
        : answerOf(api.DELETE('/v1/organizations/{id}/users/{userId}/block', { params })));
    },
    // A block revokes the person's invitations.
    onSettled: () =>
      Promise.all([people(orgId), invites(orgId)].map((queryKey) => client.invalidateQueries({ queryKey }))),
    meta: { success: blocked ? memberTexts.blockedNow : memberTexts.unblocked, failure: 'server' },
  });
}

/** Invites addresses; each has its own answer. */
export function useInvite(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { userEmails: string[]; role: Role }): Promise<InvitedOut[]> =>
      listOf(api.POST('/v1/organizations/{id}/invites', { params: { path: { id: orgId } }, body })),
    onSettled: () => client.invalidateQueries({ queryKey: invites(orgId) }),
    meta: { failure: 'server' },
  });
}

/** Whether more addresses would be refused for the same reason: a full plan, or too many invitations in an hour. */
const refusesMore = ({ problem }: InvitedOut) =>
  problem?.status === 402 || (problem?.status === 429 && problem.code === 'too_many_requests');

interface ViewerInvites {
  userEmails: readonly string[];
  onAnswers: (answers: InvitedOut[]) => void;
  /** Ends the sending after the current part. */
  signal: AbortSignal;
}

/** Invites viewers, a part at a time; `onAnswers` is called for each part. */
export function useInviteViewers(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ userEmails, onAnswers, signal }: ViewerInvites) => {
      for (let start = 0; start < userEmails.length; start += VIEWERS_IN_REQUEST) {
        const part = userEmails.slice(start, start + VIEWERS_IN_REQUEST);
        const params = { path: { id: orgId } };
        const body = { userEmails: part, role: 'user' as const };
        const answers = await listOf(api.POST('/v1/organizations/{id}/invites', { params, body }));
        onAnswers(answers);
        if (signal.aborted || answers.some(refusesMore)) return;
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: invites(orgId) }),
    meta: { failure: 'server' },
  });
}

/** Sends an invitation again. */
export function useResendInvite(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) =>
      answerOf(api.POST('/v1/organizations/{id}/invites/{uid}/resend', { params: { path: { id: orgId, uid } } })),
    onSettled: () => client.invalidateQueries({ queryKey: invites(orgId) }),
    meta: { success: memberTexts.inviteSent, failure: 'server' },
  });
}

/** Revokes an invitation. */
export function useRevokeInvite(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) =>
      answerOf(api.DELETE('/v1/organizations/{id}/invites/{uid}', { params: { path: { id: orgId, uid } } })),
    onSettled: () => client.invalidateQueries({ queryKey: invites(orgId) }),
    meta: { success: memberTexts.inviteRevoked, failure: 'server' },
  });
}
