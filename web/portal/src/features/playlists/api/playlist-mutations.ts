/** Changing playlists; each mutation carries the words of its toasts. */

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, answerOf, type PlaylistIn, type PlaylistOut, type PlaylistPatch } from '@vitrine/api';
import { deleteContent } from '~/features/content/api/content-queries.ts';
import { contentTexts } from '~/features/content/texts.ts';
import { organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { api } from '~/shared/api/client.ts';
import { playlistTexts } from '../texts.ts';
import { playlistQuery } from './playlist-queries.ts';

const read = (id: string) => answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } } }));
const change = (id: string, playlist: PlaylistPatch) =>
  answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id } }, body: { playlist } }));
const refresh = (client: QueryClient, orgId: string) => client.invalidateQueries({ queryKey: ['org', orgId] });

/** Creates a playlist. */
export function useCreatePlaylist(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ playlist, notifyUsers }: { playlist: PlaylistIn; notifyUsers: boolean }) =>
      answerOf(api.POST('/v1/playlists', { body: { playlist, orgId, notifyUsers } })),
    onSuccess: () => refresh(client, orgId),
    meta: { success: playlistTexts.created, failure: playlistTexts.createFailed },
  });
}

/** Saves the edit dialog. */
export function useEditPlaylist(playlist: PlaylistOut) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: PlaylistPatch) => change(playlist.uid, changes),
    onSuccess: () => refresh(client, playlist.orgId),
    meta: { success: playlistTexts.updated, failure: playlistTexts.editFailed },
  });
}

/** Deletes a playlist; its content stays. */
export function useDeletePlaylist(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE('/v1/playlists/{id}', { params: { path: { id } } })),
    onSuccess: async (_answer, id) => {
      client.removeQueries({ queryKey: playlistQuery(orgId, id).queryKey });
      await Promise.all([
        client.invalidateQueries({ queryKey: ['org', orgId, 'playlists'] }),
        client.invalidateQueries({ queryKey: organisationsQuery.queryKey }),
      ]);
    },
    meta: { success: playlistTexts.deleted, failure: 'server' },
  });
}

/** Saves a new order of the items. */
export function useReorderContent(orgId: string, playlistId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (items: string[]) => change(playlistId, { items }),
    onSuccess: () => refresh(client, orgId),
    meta: { success: playlistTexts.reordered, failure: playlistTexts.reorderFailed },
  });
}

/** Puts new content at the end; the playlist is read again first, as others may have changed it (G-81). */
export function useAttachContent(orgId: string, playlistId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) => append(playlistId, uid),
    onSuccess: () => refresh(client, orgId),
    meta: { success: contentTexts.added, failure: playlistTexts.attachFailed },
  });
}

/** Moves content from one playlist to the end of another. */
export function useMoveContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uid, from, to }: { uid: string; from: string; to: string }) => {
      await append(to, uid);
      await take(from, uid);
    },
    onSuccess: () => refresh(client, orgId),
    meta: { failure: playlistTexts.attachFailed },
  });
}

/** Takes content out of the playlist and deletes it; if it is still elsewhere it is put back in its place (C-53). */
export function useDeleteItem(orgId: string, playlistId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (uid: string) => {
      const before = await take(playlistId, uid);
      try {
        await deleteContent(uid);
      } catch (error) {
        if (error instanceof ApiProblem && error.status !== 404) await change(playlistId, { items: before });
        throw error;
      }
    },
    onSettled: () => refresh(client, orgId),
    meta: { success: contentTexts.deleted, failure: contentTexts.deleteFailed },
  });
}

async function append(playlistId: string, uid: string): Promise<void> {
  const { items } = await read(playlistId);
  if (!items.includes(uid)) await change(playlistId, { items: [...items, uid] });
}

/** Removes the item and answers the order as it was. */
async function take(playlistId: string, uid: string): Promise<string[]> {
  const { items } = await read(playlistId);
  if (items.includes(uid)) await change(playlistId, { items: items.filter((item) => item !== uid) });
  return items;
}
