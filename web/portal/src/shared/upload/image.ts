/** Pictures: thumbnails, logos, wallpapers, avatars. */
import { answerOf } from '@vitrine/api';
import { api } from '../api/client.ts';
import { session } from '../api/session.ts';
import { upload } from './upload.ts';

const MIB = 1024 * 1024;
const HARD_LIMIT = 5 * MIB;
const WARN_LIMIT = 2 * MIB;

/** Kinds of pictures the server takes. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** What to say about a chosen picture before it is sent. */
export type ImageVerdict = 'fine' | 'large' | 'tooLarge' | 'unsupported';

/** Strictly more than 5 MB is refused, strictly more than 2 MB is warned about (C-66). */
export function judgeImage(file: Pick<File, 'type' | 'size'>): ImageVerdict {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return 'unsupported';
  if (file.size > HARD_LIMIT) return 'tooLarge';
  return file.size > WARN_LIMIT ? 'large' : 'fine';
}

/** The chosen picture itself, to be shown before the server has it; empty when it cannot be read. */
export function previewOf(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => resolve('');
    reader.readAsDataURL(file);
  });
}

/** Sends the picture and answers its public address; without an organisation it is the person's own. */
export async function uploadImage(file: File, orgId?: string): Promise<string> {
  const signal = session.scope();
  const done = await upload({
    file,
    create: (description) => {
      // Asked for again, as another tab's sign-in may not be known here yet.
      session.scope();
      signal.throwIfAborted();
      return answerOf(
        api.POST('/v1/uploads', { body: { file: description, ...(orgId === undefined ? {} : { orgId }) } }),
      );
    },
    signal,
    onPhase: () => undefined,
  });
  const path = done.ingest?.path ?? '';
  return new URL(path, window.location.origin).href;
}
