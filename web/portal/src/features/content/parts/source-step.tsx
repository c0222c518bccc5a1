/** First step of adding: the files, or the address of a video. */
import { ActionIcon, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { fileSize, plural } from '~/shared/lib/format.ts';
import { FilesZone } from '~/shared/ui/drop-zone.tsx';
import type { SourceType } from '../model.ts';
import classes from './source-step.module.css';

interface SourceStepProps {
  source: SourceType;
  files: readonly File[];
  url: string;
  error: string;
  onFiles: (files: File[]) => void;
  onUrl: (url: string) => void;
  /** What many files have in common; one file has a step of its own for it. */
  hidden: boolean;
  notifyUsers: boolean;
  onHidden: (hidden: boolean) => void;
  onNotifyUsers: (notify: boolean) => void;
}

export function SourceStep(props: SourceStepProps) {
  const { source, files, url, error, onFiles, onUrl } = props;
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
    <Stack gap="md">
      {files.length === 0 ? (
        <FilesZone
          label="Drop files here, or choose them"
          hint="Video, audio, picture, PDF or any other file"
          onFiles={onFiles}
        />
      ) : (
        <Chosen files={files} onFiles={onFiles} />
      )}
      {error !== '' && (
        <Text c="var(--mantine-color-error)" fz="xs" role="alert">
          {error}
        </Text>
      )}
      {files.length > 1 && <InCommon {...props} />}
    </Stack>
  );
}

function Chosen({ files, onFiles }: Pick<SourceStepProps, 'files' | 'onFiles'>) {
  const list = useRef<HTMLUListElement>(null);
  // What was used a moment ago is gone: the field, or the button of a file left out.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the number that takes the focus
  useEffect(() => list.current?.focus(), [files.length]);
  return (
    <ul ref={list} tabIndex={-1} className={classes.files} aria-label="Chosen files">
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`} className={classes.file}>
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
            aria-label={files.length === 1 ? 'Choose another file' : `Leave out ${file.name}`}
            onClick={() => onFiles(files.filter((one) => one !== file))}
          >
            <IconX size={18} stroke={1.7} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

function InCommon({ files, hidden, notifyUsers, onHidden, onNotifyUsers }: SourceStepProps) {
  return (
    <Group justify="space-between">
      <Switch label="Hide from public" checked={hidden} onChange={(event) => onHidden(event.currentTarget.checked)} />
      <Checkbox
        label="Notify users"
        checked={notifyUsers}
        onChange={(event) => onNotifyUsers(event.currentTarget.checked)}
      />
      <Text c="dimmed" fz="xs" w="100%">
        {plural(files.length, 'file')}, each titled by its name. Titles can be changed later.
      </Text>
    </Group>
  );
}
