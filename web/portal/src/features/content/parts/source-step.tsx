/** First step of adding: the file, or the address of a video. */
import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { fileSize } from '~/shared/lib/format.ts';
import { DropZone } from '~/shared/ui/drop-zone.tsx';
import type { SourceType } from '../model.ts';
import classes from './source-step.module.css';

interface SourceStepProps {
  source: SourceType;
  file: File | null;
  url: string;
  error: string;
  onFile: (file: File | null) => void;
  onUrl: (url: string) => void;
}

export function SourceStep({ source, file, url, error, onFile, onUrl }: SourceStepProps) {
  if (source === 'url') {
    return (
      <TextInput
        label="Video URL"
        description="A YouTube or Vimeo address"
        type="url"
        inputMode="url"
        placeholder="https://www.youtube.com/watch?v="
        data-autofocus
        value={url}
        error={error}
        onChange={(event) => onUrl(event.currentTarget.value)}
      />
    );
  }
  return (
    <div>
      {file === null ? (
        <DropZone
          label="Drop a file here, or choose one"
          hint="Video, audio, picture, PDF or any other file"
          onFile={onFile}
        />
      ) : (
        <Group className={classes.file} wrap="nowrap" gap="sm">
          <div className={classes.words}>
            <Text fw={600} className={classes.name}>
              {file.name}
            </Text>
            <Text c="dimmed" fz="xs" className="tabular">
              {fileSize(file.size)}
            </Text>
          </div>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label="Choose another file"
            onClick={() => onFile(null)}
          >
            <IconX size={18} stroke={1.7} />
          </ActionIcon>
        </Group>
      )}
      {error !== '' && (
        <Text c="var(--mantine-color-error)" fz="xs" mt={6} role="alert">
          {error}
        </Text>
      )}
    </div>
  );
}
