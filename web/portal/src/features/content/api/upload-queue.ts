/** The portal's upload queue; it outlives the screen that started an upload. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { answerOf, type ContentIn, type PlaylistOut } from '@vitrine/api';
import { useEffect, useSyncExternalStore } from 'react';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import { atMostEvery } from '~/shared/lib/at-most-every.ts';
import { toastFailure, toastSuccess } from '~/shared/ui/toasts.ts';
import type { Entry } from '~/shared/upload/entry.ts';
import { UploadQueue } from '~/shared/upload/queue.ts';
import { attachFailure } from '../model.ts';
import { playlistPort } from '../ports.ts';
import { contentTexts } from '../texts.ts';
import { Additions } from './additions.ts';
import { deleteContent } from './content-queries.ts';

/** The purpose of a file: a new item in a playlist, or a new version of an item's file. */
export type UploadJob =
  | { kind: 'new'; orgId: string; playlistId: string; content: ContentIn; notifyUsers: boolean }
  | { kind: 'replace'; orgId: string; contentId: string };

/** One upload in the portal's queue. */
export type PortalUpload = Entry<UploadJob>;

/** Minimum time between list refreshes while uploads finish. */
const REFRESH_MS = 3000;

let client: QueryClient | null = null;

const person = () => session.person() ?? '';

const stale = new Set<string>();
const refresh = atMostEvery(REFRESH_MS, () => {
  for (const orgId of stale) void client?.invalidateQueries({ queryKey: ['org', orgId] });
  stale.clear();
});

/** The playlist that one person's uploads go to. */
interface Target {
  key: string;
  owner: string;
  orgId: string;
  playlistId: string;
}

const additions = new Additions<Target>(async ({ owner, orgId, playlistId }, uids) => {
  // Another person may have signed in while additions were being collected.
  if (person() !== owner) throw new DOMException('Another person is signed in.', 'AbortError');
  const { append, key: keyOf } = playlistPort();
  const key = keyOf(orgId, playlistId);
  const now = await append(playlistId, uids, client?.getQueryData<PlaylistOut>(key));
  if (person() === owner) client?.setQueryData<PlaylistOut>(key, now);
});

/** All uploads of the portal except images. */
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
    if (job.kind === 'replace') return;
    const { orgId, playlistId } = job;
    const owner = person();
    await additions.add({ key: `${owner} ${playlistId}`, owner, orgId, playlistId }, uid);
  },
  // Both end the upload, however it is sent; an item whose file was to be replaced keeps its file.
  discard: async (job, { uid }) => {
    if (job.kind === 'new') await deleteContent({ uid, permanent: false });
    else await answerOf(api.DELETE('/v1/uploads/{uid}', { params: { path: { uid } } }));
  },
  report: (job, what, error) => {
    if (what === 'done') toastSuccess(job.kind === 'new' ? contentTexts.added : contentTexts.edited);
    if (what === 'failed') toastFailure(contentTexts.createFailed);
    if (what === 'unfinished') toastFailure(attachFailure(error));
    stale.add(job.orgId);
    refresh();
  },
  person,
});

// Uploads stop when the person signs out or another signs in, in any tab and on any screen.
session.subscribe(() => void uploads.belongTo(person()));

/** Binds the queue to the signed-in person; the first use restores uploads a reload interrupted. */
export function useUploadOwner(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    client = queryClient;
    void uploads.belongTo(person());
  }, [queryClient]);
}

/** All uploads, oldest first. */
export function useUploads(): readonly PortalUpload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.snapshot);
}
