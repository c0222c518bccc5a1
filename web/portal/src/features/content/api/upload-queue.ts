/** The portal's one queue of uploads: it outlives the screen that filled it. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ContentIn } from '@vitrine/api';
import { useEffect, useSyncExternalStore } from 'react';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { toastFailure, toastSuccess } from '~/shared/ui/toasts.ts';
import { type Entry, UploadQueue } from '~/shared/upload/queue.ts';
import { contentTexts } from '../texts.ts';
import { deleteContent } from './content-queries.ts';
import { appendItem } from './shelf.ts';

/** What a file is for: new content of a playlist, or the new version of a content's file. */
export type UploadJob =
  | { kind: 'new'; orgId: string; playlistId: string; content: ContentIn; notifyUsers: boolean }
  | { kind: 'replace'; orgId: string; contentId: string };

/** One upload of the portal. */
export type PortalUpload = Entry<UploadJob>;

let client: QueryClient | null = null;

/** Every upload of the portal but pictures. */
export const uploads = new UploadQueue<UploadJob>({
  create: (job, file) =>
    job.kind === 'replace'
      ? answerOf(api.POST('/v1/content/{id}', { params: { path: { id: job.contentId } }, body: { file } }))
      : answerOf(
          api.POST('/v1/content', {
            body: { content: job.content, orgId: job.orgId, file, notifyUsers: job.notifyUsers },
          }),
        ),
  finish: async (job, uid) => {
    if (job.kind === 'new') await appendItem(job.playlistId, uid);
  },
  // The content a file was meant to replace stays as it is.
  discard: async (job, uid) => {
    if (job.kind === 'new') await deleteContent(uid);
  },
  told: (job, what) => {
    if (what === 'done') toastSuccess(job.kind === 'new' ? contentTexts.added : contentTexts.edited);
    if (what === 'failed') toastFailure(contentTexts.createFailed);
    if (what === 'unfinished') toastFailure(contentTexts.attachFailed);
    void client?.invalidateQueries({ queryKey: ['org', job.orgId] });
  },
});

// Signing out stops them; whoever signs in next sees their own.
session.subscribe(() => {
  if (session.token() === null) void uploads.belongTo('');
});

/** The uploads of this person; the first use in a page brings back what a reload interrupted. */
export function useUploadOwner(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    client = queryClient;
    void uploads.belongTo(session.person() ?? '');
  }, [queryClient]);
}

/** All uploads, oldest first. */
export function useUploads(): readonly PortalUpload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot);
}
