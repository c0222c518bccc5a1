/** Third step of adding: everything once more before it is sent. */
import { Checkbox, Stack } from '@mantine/core';
import { fileSize } from '~/shared/lib/format.ts';
import { Facts } from '~/shared/ui/facts.tsx';
import type { ContentForm } from '../model.ts';

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
      <Facts
        rows={[
          ['Title', form.title],
          ['Description', form.description],
          ...(file === null
            ? [['Video URL', form.url] as const]
            : [['File', file.name] as const, ['Size', fileSize(file.size)] as const]),
          ['Visibility', form.hidden ? 'Hidden from public' : 'Public'],
        ]}
      />
      <Checkbox
        label="Notify users"
        checked={notifyUsers}
        disabled={disabled}
        onChange={(event) => onNotifyUsers(event.currentTarget.checked)}
      />
    </Stack>
  );
}
