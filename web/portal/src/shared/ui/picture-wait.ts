/** Makes forms wait for images that are still uploading; saving earlier would lose them. */
import { useIsMutating } from '@tanstack/react-query';
import { useId } from 'react';

const PICTURE = 'picture';

/** The mutation key of a form's images. */
export const pictureKey = (form: string | undefined) => [PICTURE, form ?? ''] as const;

/** What a form needs to wait for its images. */
export interface PictureWait {
  /** Passed to the form's image fields. */
  form: string;
  /** An image is uploading; the form must not be submitted yet. */
  sending: boolean;
}

export function usePictureWait(): PictureWait {
  const form = useId();
  return { form, sending: useIsMutating({ mutationKey: pictureKey(form) }) > 0 };
}
