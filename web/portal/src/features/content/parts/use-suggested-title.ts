/** Suggests the title that a video has at its host, unless the person has typed one. */
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { videoTitleQuery } from '../api/content-queries.ts';
import type { ContentForm } from '../model.ts';

export function useSuggestedTitle(orgId: string, form: UseFormReturnType<ContentForm>) {
  const client = useQueryClient();
  const [isLookingUp, setLookingUp] = useState(false);
  const suggested = useRef('');
  const suggest = async (url: string) => {
    if (form.getValues().title !== '') return;
    setLookingUp(true);
    const title = await client.fetchQuery(videoTitleQuery(orgId, url)).catch(() => null);
    setLookingUp(false);
    const now = form.getValues();
    // Meanwhile a title may have been typed, or another URL.
    if (title === null || now.title !== '' || now.url.trim() !== url) return;
    suggested.current = title;
    form.setFieldValue('title', title);
    form.clearFieldError('title');
  };
  return {
    isLookingUp,
    /** Looks up the title of a video; it appears in the form once it is there. */
    suggest,
    /** Clears a title that was suggested for another URL. */
    forget: () => {
      if (suggested.current !== '' && form.getValues().title === suggested.current) form.setFieldValue('title', '');
    },
  };
}
