/** Content items: create with or without a file, change, delete, keep a playback address alive. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ContentIn } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { type UploadPhase, upload } from '~/shared/upload/upload.ts';
import { contentTexts } from '../texts.ts';

/** New content, ready to be sent. */
export interface NewContent {
  content: ContentIn;
  /** Null for an embedded video. */
  file: File | null;
  notifyUsers: boolean;
}

interface CreateOptions {
  orgId: string;
  onPhase: (phase: UploadPhase) => void;
}

/** Creates the record, sends the file, waits until it is verified; answers the new content's uid. */
export function useCreateContent({ orgId, onPhase }: CreateOptions) {
  return useMutation({
    mutationFn: async ({ content, file, notifyUsers, signal }: NewContent & { signal: AbortSignal }) => {
      const create = (description: Parameters<Parameters<typeof upload>[0]['create']>[0] | null) =>
        answerOf(api.POST('/v1/content', { body: { content, orgId, file: description, notifyUsers } }));
      const created =
        file === null ? await create(null) : await upload({ file, create, discard: deleteContent, signal, onPhase });
      return created.uid;
    },
  });
}

/** Saves changed fields. */
export function useEditContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uid, content }: { uid: string; content: Partial<ContentIn> }) =>
      answerOf(api.PATCH('/v1/content/{id}', { params: { path: { id: uid } }, body: { content } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: contentTexts.edited, failure: 'server' },
  });
}

/** Deletes an item that is in no playlist; the callers take it out of theirs first. */
export async function deleteContent(uid: string): Promise<void> {
  await answerOf(api.DELETE('/v1/content/{id}', { params: { path: { id: uid } } }));
}

/** Prolongs the playback address by an hour. */
export function renewGrant(url: string): Promise<{ expiresIn: number }> {
  return answerOf(api.POST('/v1/media/grants/renew', { body: { url } }));
}
