/** Playlist mutations with their toasts. */

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem, answerOf, type PlaylistIn, type PlaylistOut } from '@vitrine/api';
import { type Deletion, deleteContent } from '~/features/content/api/content-queries.ts';
import { attachFailure } from '~/features/content/model.ts';
import { contentTexts } from '~/features/content/texts.ts';
import { organisationsQuery } from '~/features/orgs/api/org-queries.ts';
import { api } from '~/shared/api/client.ts';
import { saveUnlessChanged } from '~/shared/api/save-unless-changed.ts';
import { sameForm } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { appendItem, changePlaylist, putBack, readPlaylist, takeItem } from './playlist-items.ts';
import { playlistQuery } from './playlist-queries.ts';

const refresh = (client: QueryClient, orgId: string) => client.invalidateQueries({ queryKey: ['org', orgId] });

export function useCreatePlaylist(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ playlist, notifyUsers }: { playlist: PlaylistIn; notifyUsers: boolean }) =>
      answerOf(api.POST('/v1/playlists', { body: { playlist, orgId, notifyUsers } })),
    onSuccess: () => refresh(client, orgId),
    meta: { success: playlistTexts.created, failure: playlistTexts.createFailed },
  });
}

/** An edit from the dialog. */
interface PlaylistEdit {
  /** The version the edit started from. */
  base: PlaylistOut;
  changes: PlaylistIn;
  /** Save even though another person changed it. */
  anyway: boolean;
}

/** Saves the edit dialog. Items added or removed in the meantime, as by an upload, are not a conflict. */
export function useEditPlaylist(playlist: PlaylistOut) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ base, changes, anyway }: PlaylistEdit) =>
      anyway
        ? changePlaylist(playlist.uid, changes)
        : saveUnlessChanged({
            base,
            save: (timeModified) => changePlaylist(playlist.uid, { ...changes, timeModified }),
            read: () => readPlaylist(playlist.uid),
            same: (now) => sameForm(base, now),
          }),
    onSuccess: () => refresh(client, playlist.orgId),
    meta: { success: playlistTexts.updated, failure: playlistTexts.editFailed },
  });
}

/** Deletes a playlist; its items stay in the organisation. */
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

/** Saves a new order of the items; settles once the current order is refetched, even on failure. */
export function useReorderContent(orgId: string, playlistId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: { items: string[]; timeModified: string }) => changePlaylist(playlistId, change),
    onSettled: () => refresh(client, orgId),
    meta: { success: playlistTexts.reordered, failure: playlistTexts.reorderFailed },
  });
}

/** Moves an item from one playlist to the end of another. */
export function useMoveContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uid, from, to }: { uid: string; from: string; to: string }) => {
      await appendItem(to, uid);
      await takeItem(from, uid);
    },
    // On failure, half of the move may be done.
    onSettled: () => refresh(client, orgId),
    meta: { failure: attachFailure },
  });
}

/** Removes an item from the playlist and deletes it; puts it back if the deletion is refused. */
export function useDeleteItem(orgId: string, playlistId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uid, permanent }: Deletion) => {
      const before = await takeItem(playlistId, uid);
      try {
        await deleteContent({ uid, permanent });
      } catch (error) {
        if (error instanceof ApiProblem && error.status !== 404) await putBack(playlistId, uid, before);
        throw error;
      }
    },
    onSettled: () => refresh(client, orgId),
    meta: { success: contentTexts.deleted, failure: contentTexts.deleteFailed },
  });
}
