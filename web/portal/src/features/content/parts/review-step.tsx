/** The third step of adding: a summary before sending. */
import { Checkbox, Stack } from '@mantine/core';
import { fileSize } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import type { ContentForm } from '../model.ts';
import { contentTexts } from '../texts.ts';

interface ReviewStepProps {
  form: ContentForm;
  file: File | null;
  notifyUsers: boolean;
  onNotifyUsers: (notify: boolean) => void;
  disabled: boolean;
}

export function ReviewStep({ form, file, notifyUsers, onNotifyUsers, disabled }: ReviewStepProps) {
  return (
    <Stack gap="md">
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
