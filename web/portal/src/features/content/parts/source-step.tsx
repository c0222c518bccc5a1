/** The first step of adding: files, or the URL of a video. */
import { ActionIcon, Checkbox, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { fileSize } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { FilesZone } from '~/shared/ui/drop-zone.tsx';
import type { SourceType } from '../model.ts';
import { contentTexts } from '../texts.ts';
import classes from './source-step.module.css';

interface SourceStepProps {
  source: SourceType;
  files: readonly File[];
  url: string;
  error: string;
  onFiles: (files: File[]) => void;
  onUrl: (url: string) => void;
  /** Settings shared by several files; a single file has its own step for them. */
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
        label={contentTexts.videoUrl}
        description={contentTexts.videoUrlHint}
        type="url"
        inputMode="url"
        placeholder={contentTexts.videoUrlExample}
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
        <FilesZone label={contentTexts.dropFiles} hint={contentTexts.dropFilesHint} onFiles={onFiles} />
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

interface ChosenProps {
  /** Files of a dropped folder may have the same name; their paths differ. */
  files: readonly (File & { relativePath?: string })[];
  onFiles: SourceStepProps['onFiles'];
}

function Chosen({ files, onFiles }: ChosenProps) {
  const list = useRef<HTMLUListElement>(null);
  // The focused element is gone: the drop zone, or the button of a removed file.
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus moves whenever the number of files changes
  useEffect(() => list.current?.focus(), [files.length]);
  return (
    <ul ref={list} tabIndex={-1} className={classes.files} aria-label={contentTexts.chosenFiles}>
      {files.map((file) => (
        <li key={`${file.relativePath ?? file.name} ${file.size} ${file.lastModified}`} className={classes.file}>
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
            aria-label={files.length === 1 ? contentTexts.chooseAnother : contentTexts.removeFile(file.name)}
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
      <Switch
        label={commonTexts.hideFromPublic}
        checked={hidden}
        onChange={(event) => onHidden(event.currentTarget.checked)}
      />
      <Checkbox
        label={commonTexts.notifyUsers}
        checked={notifyUsers}
        onChange={(event) => onNotifyUsers(event.currentTarget.checked)}
      />
      <Text c="dimmed" fz="xs" w="100%">
        {contentTexts.titledByName(files.length)}
      </Text>
    </Group>
  );
}
