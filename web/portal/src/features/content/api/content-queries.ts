/** Content items: list, change, delete, captions, the truth about uploads, playback addresses. */

import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { answerOf, type ContentIn, type ContentKind, type ContentOut, listOf, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { attachFailure, isProcessing, nextPage, sameForm } from '../model.ts';
import { contentTexts } from '../texts.ts';
import { appendItem } from './shelf.ts';

/** How often items are asked for again while the server works on one of them. */
export const PROCESSING_POLL_MS = 2000;

/** What the list of all content is narrowed to. */
export interface ContentFilter {
  search: string;
  kind: ContentKind | null;
  /** Only what lies in no playlist. */
  loose: boolean;
}

/** All content of the organisation, page by page; asked for again while the server works on some of it. */
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
    refetchInterval: ({ state }) => (state.data?.pages.flat().some(isProcessing) ? PROCESSING_POLL_MS : false),
  });

const readContent = (uid: string, signal?: AbortSignal) =>
  answerOf(api.GET('/v1/content/{id}', { params: { path: { id: uid } }, ...(signal === undefined ? {} : { signal }) }));

/** One content. */
export const contentQuery = (orgId: string, uid: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'content', 'one', uid],
    queryFn: ({ signal }) => readContent(uid, signal),
    refetchInterval: ({ state }) => (state.data && isProcessing(state.data) ? PROCESSING_POLL_MS : false),
  });

const readUploadReport = (uid: string, signal: AbortSignal) =>
  answerOf(api.GET('/v1/content/{id}/upload', { params: { path: { id: uid } }, signal }));

/** The upload that is served and, where there is one, a newer one. */
export type UploadReports = Awaited<ReturnType<typeof readUploadReport>>;

/** What was announced of a content's file, and what came. */
export const uploadReportQuery = (orgId: string, uid: string) =>
  queryOptions({
    queryKey: ['org', orgId, 'content', 'report', uid],
    queryFn: ({ signal }) => readUploadReport(uid, signal),
  });

/** Creates content without a file: an embedded video. */
export function useCreateVideo(orgId: string) {
  return useMutation({
    mutationFn: ({ content, notifyUsers }: { content: ContentIn; notifyUsers: boolean }) =>
      answerOf(api.POST('/v1/content', { body: { content, orgId, file: null, notifyUsers } })),
    meta: { failure: contentTexts.createFailed },
  });
}

/** Puts content at the end of a playlist. */
export function useAttachContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uid, playlistId }: { uid: string; playlistId: string }) => appendItem(playlistId, uid),
    onSuccess: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: contentTexts.added, failure: attachFailure },
  });
}

/** Changes of the edit dialog. */
interface ContentEdit {
  /** The content as the person saw it. */
  seen: ContentOut;
  changes: Partial<ContentIn>;
  /** They were told that somebody else changed it. */
  anyway: boolean;
}

/** Tries before a content that changes under our hands counts as changed by somebody else. */
const TRIES = 5;

/** A file that arrived or captions that were added meanwhile are no conflict; other words are (G-81). */
async function editContent({ seen, changes, anyway }: ContentEdit): Promise<ContentOut> {
  const save = (timeModified: Partial<Pick<ContentOut, 'timeModified'>>) =>
    answerOf(
      api.PATCH('/v1/content/{id}', {
        params: { path: { id: seen.uid } },
        body: { content: { ...changes, ...timeModified } },
      }),
    );
  if (anyway || Object.keys(changes).length === 0) return save({});
  let { timeModified } = seen;
  for (let tries = 1; ; tries += 1) {
    try {
      return await save({ timeModified });
    } catch (error) {
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
      const now = await readContent(seen.uid);
      if (!sameForm(seen, now)) throw error;
      timeModified = now.timeModified;
    }
  }
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

/** Deletes an item that is in no playlist; the callers take it out of theirs first. */
export async function deleteContent(uid: string): Promise<void> {
  await answerOf(api.DELETE('/v1/content/{id}', { params: { path: { id: uid } } }));
}

/** Deletes content from the list of all content; what lies in a playlist is refused. */
export function useDeleteContent(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteContent,
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { success: contentTexts.deleted, failure: contentTexts.deleteFailed },
  });
}

/** Has the server try again to make what browsers play. */
export function useRetryProcessing(orgId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uid: string) => answerOf(api.POST('/v1/content/{id}/processing', { params: { path: { id: uid } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['org', orgId] }),
    meta: { failure: 'server' },
  });
}

/** Captions to be stored under a language. */
export interface NewCaptions {
  language: string;
  label: string;
  file: File;
}

/** Stores captions; the dialog shows what is wrong with them. */
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

/** Prolongs the playback address by an hour. */
export function renewGrant(url: string): Promise<{ expiresIn: number }> {
  return answerOf(api.POST('/v1/media/grants/renew', { body: { url } }));
}
