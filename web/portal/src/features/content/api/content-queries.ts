/** Content items: list, edit, delete, captions, upload reports, playback grants. */

import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { answerOf, type ContentChanges, type ContentIn, type ContentKind, type ContentOut, listOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { saveUnlessChanged } from '~/shared/api/save-unless-changed.ts';
import { session } from '~/shared/api/session.ts';
import { attachFailure, awaitsPoster, isProcessing, nextPage, sameForm } from '../model.ts';
import { playlistPort } from '../ports.ts';
import { contentTexts } from '../texts.ts';

/** First polling pause while the server processes an item; each pause is 1.5 times the last. */
const FIRST_PAUSE_MS = 2000;
/** The longest pauses: for running work, and for a draft, whose file may never arrive. */
const LONGEST_PAUSE_MS = { work: 10_000, draft: 60_000 } as const;

/** Returns whether the server is about to change the item. */
export function isMoving(item: ContentOut): boolean {
  return isProcessing(item) || awaitsPoster(item, session.now());
}

/** Returns the pause before the next poll after `asked` polls, or false if the item is settled. */
export function pauseOf(item: ContentOut | undefined, asked: number): number | false {
  if (item === undefined || !isMoving(item)) return false;
  const longest = item.type === 'draft' ? LONGEST_PAUSE_MS.draft : LONGEST_PAUSE_MS.work;
  return Math.min(FIRST_PAUSE_MS * 1.5 ** asked, longest);
}

/** Filter of the list of all content. */
export interface ContentFilter {
  search: string;
  kind: ContentKind | null;
  /** Only items that are not in a playlist. */
  loose: boolean;
}

/** All content of the organisation, paged. */
export const allContentQuery = (orgId: string, { search, kind, loose }: ContentFilter) =>
  infiniteQueryOptions({
    queryKey: ['org', orgId, 'content', { search, kind, loose }],
    queryFn: ({ pageParam, signal }) =>
      listOf(
        api.GET('/v1/content', {
          params: {
            query: {
              orgId,
              ...(search === '' ? {} : { search }),
              ...(kind === null ? {} : { kind }),
              ...(loose ? { inPlaylist: false } : {}),
              ...(pageParam === '' ? {} : { startAfter: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });

const readContent = (uid: string, signal?: AbortSignal) =>
  answerOf(api.GET('/v1/content/{id}', { params: { path: { id: uid } }, ...(signal === undefined ? {} : { signal }) }));

/** One content item, polled while the server processes it. */
export const contentQuery = (orgId: string, uid: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'content', 'one', uid],
    queryFn: ({ signal }) => readContent(uid, signal),
    refetchInterval: ({ state }) => pauseOf(state.data, state.dataUpdateCount + state.errorUpdateCount),
  });

const readUploadReport = (uid: string, signal: AbortSignal) =>
  answerOf(api.GET('/v1/content/{id}/upload', { params: { path: { id: uid } }, signal }));

/** The upload being served and, if any, a newer one. */
export type UploadReports = Awaited<ReturnType<typeof readUploadReport>>;

/** What was declared and what was received for an item's file. */
export const uploadReportQuery = (orgId: string, uid: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'content', 'report', uid],
    queryFn: ({ signal }) => readUploadReport(uid, signal),
  });

/** The title of a video at its host, to suggest it; null if the host does not say. */
export const videoTitleQuery = (orgId: string, url: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'video-title', url],
    queryFn: async () => {
      const { title } = await answerOf(api.POST('/v1/content/embeds/lookup', { body: { orgId, url } }));
      return title ?? null;
    },
    retry: false,
  });

/** Creates a content item without a file: an embedded video. */
export function useCreateVideo(orgId: string) {
  return useMutation({
    mutationFn: ({ content, notifyUsers }: { content: ContentIn; notifyUsers: boolean }) =>
      answerOf(api.POST('/v1/content', { body: { content, orgId, file: null, notifyUsers } })),
    meta: { failure: contentTexts.createFailed },
  });
}

/** Adds a content item to the end of a playlist. */
export function useAttachContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uid, playlistId }: { uid: string; playlistId: string }) => playlistPort().append(playlistId, [uid]),
    onSuccess: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: contentTexts.added, failure: attachFailure },
  });
}

/** An edit from the dialog. */
interface ContentEdit {
  /** The version the edit started from. */
  base: ContentOut;
  changes: ContentChanges;
  /** Save even though another person changed it. */
  anyway: boolean;
}

/** Saves an edit. A new file or new captions are not a conflict; changed form fields are. */
function editContent({ base, changes, anyway }: ContentEdit): Promise<ContentOut> {
  const save = (timeModified: Partial<Pick<ContentOut, 'timeModified'>>) =>
    answerOf(
      api.PATCH('/v1/content/{id}', {
        params: { path: { id: base.uid } },
        body: { content: { ...changes, ...timeModified } },
      }),
    );
  if (anyway || Object.keys(changes).length === 0) return save({});
  return saveUnlessChanged({
    base,
    save: (timeModified) => save({ timeModified }),
    read: () => readContent(base.uid),
    same: (now) => sameForm(base, now),
  });
}

/** Saves changed fields. */
export function useEditContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: editContent,
    onSuccess: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: contentTexts.edited, failure: 'server' },
  });
}

/** What to delete, and whether to remove its files immediately instead of after 30 days. */
export interface Deletion {
  uid: string;
  permanent: boolean;
}

/** Deletes an item that is not in a playlist; callers remove it from theirs first. */
export async function deleteContent({ uid, permanent }: Deletion): Promise<void> {
  const query = permanent ? { permanent } : {};
  await answerOf(api.DELETE('/v1/content/{id}', { params: { path: { id: uid }, query } }));
}

/** Deletes an item from the list of all content; refused while it is in a playlist. */
export function useDeleteContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteContent,
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: contentTexts.deleted, failure: contentTexts.deleteFailed },
  });
}

/** Asks the server to process an item again. */
export function useRetryProcessing(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) => answerOf(api.POST('/v1/content/{id}/processing', { params: { path: { id: uid } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { failure: 'server' },
  });
}

/** Captions to store for a language. */
export interface NewCaptions {
  language: string;
  label: string;
  file: File;
}

/** Stores captions; the dialog shows errors. */
export function usePutCaptions(orgId: string, uid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ language, label, file }: NewCaptions) => {
      const body = await file.text();
      const type = /\.srt$/i.test(file.name) ? 'application/x-subrip' : 'text/vtt';
      return answerOf(
        api.PUT('/v1/content/{id}/captions/{language}', {
          params: { path: { id: uid, language }, query: label === '' ? {} : { label } },
          body,
          bodySerializer: (text: string) => text,
          headers: { 'Content-Type': type },
        }),
      );
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
  });
}

/** Removes the captions of a language. */
export function useDeleteCaptions(orgId: string, uid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (language: string) =>
      answerOf(api.DELETE('/v1/content/{id}/captions/{language}', { params: { path: { id: uid, language } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
  });
}

/** Extends a playback grant by an hour. */
export function renewGrant(url: string): Promise<{ expiresIn: number }> {
  return answerOf(api.POST('/v1/media/grants/renew', { body: { url } }));
}
