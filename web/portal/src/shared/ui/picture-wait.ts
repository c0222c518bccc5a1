/** Forms wait for pictures that are still being sent: what they save would not know of them. */
import { useIsMutating } from '@tanstack/react-query';
import { useId } from 'react';

const PICTURE = 'picture';

/** Names the pictures of one form. */
export const pictureKey = (form: string | undefined) => [PICTURE, form ?? ''] as const;

/** What a form needs to wait for its pictures. */
export interface PictureWait {
  /** Handed to the form's picture fields. */
  form: string;
  /** A picture is on its way; the form is not to be sent before it has arrived. */
  sending: boolean;
}

export function usePictureWait(): PictureWait {
  const form = useId();
  return { form, sending: useIsMutating({ mutationKey: pictureKey(form) }) > 0 };
}
