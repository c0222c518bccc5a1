/** Images: thumbnails, logos, wallpapers, avatars. */
import { answerOf } from '@vitrine/api';
import { api } from '../api/client.ts';
import { session } from '../api/session.ts';
import { upload } from './upload.ts';

const MIB = 1024 * 1024;
/** Largest image that is accepted. */
export const HARD_LIMIT = 5 * MIB;
const WARN_LIMIT = 2 * MIB;

/** Image types the server accepts. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** The check of a chosen image before upload. */
export type ImageVerdict = 'fine' | 'large' | 'tooLarge' | 'unsupported';

/** Rejects files over 5 MiB and flags files over 2 MiB; the limits themselves are fine. */
export function judgeImage(file: Pick<File, 'type' | 'size'>): ImageVerdict {
  if (!(IMAGE_TYPES as readonly string[]).includes(file.type)) return 'unsupported';
  if (file.size > HARD_LIMIT) return 'tooLarge';
  return file.size > WARN_LIMIT ? 'large' : 'fine';
}

/** Reads the chosen image as a data URL for the preview; returns an empty string if it cannot be read. */
export function previewOf(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => resolve('');
    reader.readAsDataURL(file);
  });
}

/** Uploads the image and returns its public URL. Without an organisation, it belongs to the person. */
export async function uploadImage(file: File, orgId?: string): Promise<string> {
  const signal = session.scope();
  const done = await upload({
    file,
    create: (description) => {
      // Read again: another tab may have signed someone else in.
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
