/** Upload progress, with speed and time left. */
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useNow } from '~/shared/lib/now.ts';
import type { UploadPhase } from '~/shared/upload/upload.ts';
import { contentTexts, uploadTexts } from '../texts.ts';
import { detailOf, headingOf, isStill, percentOf } from '../upload-words.ts';

interface UploadProgressProps {
  phase: UploadPhase;
  onCancel: () => void;
}

export function UploadProgress({ phase, onCancel }: UploadProgressProps) {
  const percent = percentOf(phase);
  const now = useNow(phase.step === 'paused');
  return (
    <Stack gap={8}>
      <Group justify="space-between">
        <Text fw={550} role="status">
          {headingOf(phase)}
        </Text>
        <Text className="tabular" fw={550}>
          {contentTexts.percent(percent)}
        </Text>
      </Group>
      <Progress
        value={percent}
        aria-label={headingOf(phase)}
        color={isStill(phase) ? 'gray' : 'orange'}
        size="md"
        radius="xl"
        transitionDuration={120}
      />
      <Group justify="space-between">
        <Text c="dimmed" fz="xs" className="tabular">
          {detailOf(phase, now)}
        </Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={(event) => {
            // Ignore the second click of a double click on Upload, which lands here.
            if (event.detail < 2) onCancel();
          }}
          disabled={phase.step === 'checking'}
        >
          {uploadTexts.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
