/** Restoration and permanent deletion of what was deleted recently. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { playlistTexts } from '../texts.ts';

export interface Deleted {
  kind: 'playlist' | 'content';
  uid: string;
  title: string;
  /** Whether files are removed with it. */
  hasFiles: boolean;
}

/** Takes the deletion back. */
export function useRestore(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ kind, uid }: Deleted) => {
      const params = { path: { id: uid } };
      if (kind === 'playlist') await answerOf(api.POST('/v1/playlists/{id}/restore', { params }));
      else await answerOf(api.POST('/v1/content/{id}/restore', { params }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: playlistTexts.restored, failure: 'server' },
  });
}

/** Deletes for good. */
export function useDeletePermanently(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ kind, uid }: Deleted) => {
      const params = { path: { id: uid }, query: { permanent: true } };
      if (kind === 'playlist') await answerOf(api.DELETE('/v1/playlists/{id}', { params }));
      else await answerOf(api.DELETE('/v1/content/{id}', { params }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: playlistTexts.deletedPermanently, failure: 'server' },
  });
}
