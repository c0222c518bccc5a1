/** Makes forms wait for images that are still uploading; saving earlier would lose them. */
import { useIsMutating } from '@tanstack/react-query';
import { useId } from 'react';

const IMAGE = 'image';

/** The mutation key of a form's images. */
export const imageKey = (form: string | undefined) => [IMAGE, form ?? ''] as const;

/** What a form needs to wait for its images. */
export interface ImageUploads {
  /** Passed to the form's image fields. */
  form: string;
  /** An image is uploading; the form must not be submitted yet. */
  uploading: boolean;
}

export function useImageUploads(): ImageUploads {
  const form = useId();
  return { form, uploading: useIsMutating({ mutationKey: imageKey(form) }) > 0 };
}
