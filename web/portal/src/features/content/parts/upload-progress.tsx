/** How far an upload is: reading, sending with speed and time left, checking. */
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { clock, fileSize } from '~/shared/lib/format.ts';
import type { UploadPhase } from '~/shared/upload/upload.ts';

interface UploadProgressProps {
  phase: UploadPhase;
  onCancel: () => void;
}

export function UploadProgress({ phase, onCancel }: UploadProgressProps) {
  const percent = percentOf(phase);
  return (
    <Stack gap={8}>
      <Group justify="space-between">
        <Text fw={550} role="status">
          {headingOf(phase)}
        </Text>
        <Text className="tabular" fw={550}>
          {percent} %
        </Text>
      </Group>
      <Progress
        value={percent}
        aria-label={headingOf(phase)}
        color="orange"
        size="md"
        radius="xl"
        transitionDuration={120}
      />
      <Group justify="space-between">
        <Text c="dimmed" fz="xs" className="tabular">
          {detailOf(phase)}
        </Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={(event) => {
            // The second click of a double click on Upload lands here; it is no wish to stop.
            if (event.detail < 2) onCancel();
          }}
          disabled={phase.step === 'checking'}
        >
          Cancel upload
        </Button>
      </Group>
    </Stack>
  );
}

function percentOf(phase: UploadPhase): number {
  if (phase.step === 'hashing') return Math.floor(phase.share * 100);
  if (phase.step === 'checking') return 100;
  const { sent, total } = phase.transfer;
  return total === 0 ? 0 : Math.min(100, Math.floor((sent / total) * 100));
}

function headingOf(phase: UploadPhase): string {
  if (phase.step === 'hashing') return 'Reading the file';
  return phase.step === 'sending' ? 'Uploading' : 'Checking the file';
}

function detailOf(phase: UploadPhase): string {
  if (phase.step === 'hashing') return 'Computing its checksum';
  if (phase.step === 'checking') return 'Almost done';
  const { sent, total, speed, secondsLeft } = phase.transfer;
  const amount = `${fileSize(sent)} of ${fileSize(total)}`;
  if (secondsLeft === null) return amount;
  return `${amount} · ${fileSize(speed)}/s · ${clock(secondsLeft * 1000)} left`;
}
