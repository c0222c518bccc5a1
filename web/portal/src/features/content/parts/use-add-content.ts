/** Sends new content: a file goes through the upload queue, a video is only a URL. */
import { messageOf } from '@vitrine/api';
import { useEffect, useRef, useState } from 'react';
import type { UploadPhase } from '~/shared/upload/upload.ts';
import { useAttachContent, useCreateVideo } from '../api/content-queries.ts';
import { type PortalUpload, type UploadJob, uploads, useUploads } from '../api/upload-queue.ts';
import { attachFailure } from '../model.ts';

export type AddState =
  | { step: 'idle' }
  | { step: 'sending'; phase: UploadPhase | null }
  | { step: 'failed'; message: string }
  /** The item exists but is not in the playlist yet; the message says why. */
  | { step: 'unattached'; busy: boolean; message: string }
  | { step: 'done'; uid: string | null };

/** What the wizard submits. */
export type NewContent = Omit<Extract<UploadJob, { kind: 'new' }>, 'kind'> & {
  /** Null for an embedded video. */
  file: File | null;
};

export function useAddContent(orgId: string) {
  const video = useAddVideo(orgId);
  const [id, setId] = useState<string | null>(null);
  const entry = useUploads().find((one) => one.id === id);
  const followed = useRef<string | null>(null);
  const last = useRef<{ file: File; job: string } | null>(null);
  useEffect(
    () => () => {
      // The panel takes over the upload when the dialog closes.
      if (followed.current !== null) uploads.follow(followed.current, false);
    },
    [],
  );
  const addFile = (file: File, job: Omit<NewContent, 'file'>) => {
    const sent = { file, job: JSON.stringify(job) };
    // Retry an unchanged submission in place: its file may already have arrived.
    if (entry?.state.step === 'failed' && last.current?.file === file && last.current.job === sent.job) {
      return uploads.retry(entry.id);
    }
    if (id !== null) uploads.cancel(id);
    last.current = sent;
    const [next = null] = uploads.add([{ file, job: { kind: 'new', ...job } }], { followed: true });
    followed.current = next;
    setId(next);
  };
  return {
    state: entry === undefined ? video.state : stateOf(entry),
    add: ({ file, ...job }: NewContent) => (file === null ? void video.add(job) : addFile(file, job)),
    attachAgain: () => (entry === undefined ? void video.attachAgain() : uploads.retry(entry.id)),
    cancel: () => {
      if (id !== null) uploads.cancel(id);
    },
  };
}

function stateOf({ state, uid }: PortalUpload): AddState {
  if (state.step === 'working') return { step: 'sending', phase: state.phase };
  if (state.step === 'failed' || state.step === 'missing') return { step: 'failed', message: state.message };
  if (state.step === 'finishing') return { step: 'unattached', busy: true, message: '' };
  if (state.step === 'unfinished') return { step: 'unattached', busy: false, message: attachFailure(state.error) };
  return state.step === 'done' ? { step: 'done', uid } : { step: 'sending', phase: null };
}

function useAddVideo(orgId: string) {
  const [state, setState] = useState<AddState>({ step: 'idle' });
  const create = useCreateVideo(orgId);
  const attach = useAttachContent(orgId);
  const made = useRef({ uid: '', playlistId: '' });
  const attachAgain = async () => {
    setState({ step: 'unattached', busy: true, message: '' });
    try {
      await attach.mutateAsync(made.current);
      setState({ step: 'done', uid: made.current.uid });
    } catch (error) {
      setState({ step: 'unattached', busy: false, message: attachFailure(error) });
    }
  };
  const add = async ({ content, notifyUsers, playlistId }: Omit<NewContent, 'file'>) => {
    setState({ step: 'sending', phase: null });
    try {
      const { uid } = await create.mutateAsync({ content, notifyUsers });
      made.current = { uid, playlistId };
    } catch (error) {
      return setState({ step: 'failed', message: messageOf(error) });
    }
    await attachAgain();
  };
  return { state, add, attachAgain };
}
