/** Sending new content: one attempt at a time, stoppable, and the playlist entry can be tried again by itself. */
import { messageOf } from '@vitrine/api';
import { useRef, useState } from 'react';
import { toastFailure } from '~/shared/ui/toasts.ts';
import type { UploadPhase } from '~/shared/upload/upload.ts';
import { type NewContent, useCreateContent } from '../api/content-queries.ts';
import { contentTexts } from '../texts.ts';

/** Where adding stands. */
export type AddState =
  | { step: 'idle' }
  | { step: 'sending'; phase: UploadPhase | null }
  | { step: 'failed'; message: string }
  /** The content exists, but is in no playlist yet. */
  | { step: 'unattached'; uid: string; busy: boolean }
  | { step: 'done'; uid: string };

interface AddContentOptions {
  orgId: string;
  /** Puts the new content into the playlist; tells people itself how that went. */
  attach: (uid: string) => Promise<unknown>;
}

export function useAddContent({ orgId, attach }: AddContentOptions) {
  const [state, setState] = useState<AddState>({ step: 'idle' });
  const controller = useRef<AbortController | null>(null);
  const create = useCreateContent({ orgId, onPhase: (phase) => setState({ step: 'sending', phase }) });

  const putIntoPlaylist = async (uid: string) => {
    setState({ step: 'unattached', uid, busy: true });
    try {
      await attach(uid);
      setState({ step: 'done', uid });
    } catch {
      setState({ step: 'unattached', uid, busy: false });
    }
  };

  const add = async (content: NewContent) => {
    const stop = new AbortController();
    controller.current = stop;
    setState({ step: 'sending', phase: null });
    try {
      const uid = await create.mutateAsync({ ...content, signal: stop.signal });
      await putIntoPlaylist(uid);
    } catch (error) {
      if (stop.signal.aborted) return setState({ step: 'idle' });
      toastFailure(contentTexts.createFailed);
      setState({ step: 'failed', message: sentenceOf(error) });
    }
  };

  return {
    state,
    add,
    attachAgain: putIntoPlaylist,
    cancel: () => controller.current?.abort(),
    reset: () => setState({ step: 'idle' }),
  };
}

/** The server's reason, or the reader's sentence about an unreadable file. */
function sentenceOf(error: unknown): string {
  return error instanceof Error && error.message.startsWith('Cannot read file') ? error.message : messageOf(error);
}
