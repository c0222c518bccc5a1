/** The third step of adding: a summary before sending. */
import { Checkbox, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { fileSize } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { type ContentForm, contentKinds, kindOfFile } from '../model.ts';
import { contentTexts } from '../texts.ts';
import classes from './review-step.module.css';

interface ReviewStepProps {
  form: ContentForm;
  file: File | null;
  notifyUsers: boolean;
  onNotifyUsers: (notify: boolean) => void;
  disabled: boolean;
}

export function ReviewStep({ form, file, notifyUsers, onNotifyUsers, disabled }: ReviewStepProps) {
  const own = useImageUrl(file);
  const { icon } = contentKinds[file === null ? 'embed' : kindOfFile(file)];
  return (
    <Stack gap="md">
      <Thumbnail src={form.previewUrl || own} icon={icon} className={classes.image ?? ''} />
      <DetailList
        rows={[
          [commonTexts.title, form.title],
          [commonTexts.description, form.description],
          ...(file === null
            ? [[contentTexts.videoUrl, form.url] as const]
            : [[contentTexts.file, file.name] as const, [contentTexts.size, fileSize(file.size)] as const]),
          [commonTexts.visibility, form.hidden ? commonTexts.hiddenFromPublic : commonTexts.public],
        ]}
      />
      <Checkbox
        label={commonTexts.notifyUsers}
        checked={notifyUsers}
        disabled={disabled}
        onChange={(event) => onNotifyUsers(event.currentTarget.checked)}
      />
    </Stack>
  );
}

/** The URL of an image that is not uploaded yet; empty for other files. */
function useImageUrl(file: File | null): string {
  const [url, setUrl] = useState('');
  useEffect(() => {
    if (file === null || kindOfFile(file) !== 'image') return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
