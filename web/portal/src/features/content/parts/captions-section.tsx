/** Captions of a video or audio item: one file per language. */
import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { type ContentOut, messageOf } from '@vitrine/api';
import { useRef, useState } from 'react';
import { FileInput } from '~/shared/ui/file-input.tsx';
import { useDeleteCaptions, usePutCaptions } from '../api/content-queries.ts';
import { contentTexts } from '../texts.ts';
import classes from './edit-content-modal.module.css';

const texts = contentTexts.captions;

export function CaptionsSection({ content }: { content: ContentOut }) {
  const remove = useDeleteCaptions(content.orgId, content.uid);
  return (
    <section className={classes.section} aria-label={texts.title}>
      <Stack gap="sm">
        <Text fw={550}>{texts.title}</Text>
        {content.captions.length > 0 && (
          <ul className={classes.captions}>
            {content.captions.map(({ language, label, url }) => (
              <li key={language}>
                <span className={classes.words}>
                  {label}{' '}
                  <Text component="span" c="dimmed" fz="xs">
                    {language}
                  </Text>
                </span>
                <Tooltip label={texts.download}>
                  <ActionIcon
                    component="a"
                    href={url}
                    download={`${content.title}.${language}.vtt`}
                    variant="subtle"
                    color="gray"
                    size={36}
                    aria-label={texts.downloadNamed(label)}
                  >
                    <IconDownload size={18} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label={texts.delete}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={36}
                    loading={remove.isPending && remove.variables === language}
                    aria-label={texts.deleteNamed(label)}
                    onClick={() => remove.mutate(language)}
                  >
                    <IconTrash size={18} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
              </li>
            ))}
          </ul>
        )}
        {remove.isError && <Complaint error={remove.error} />}
        <NewCaptions content={content} />
      </Stack>
    </section>
  );
}

function NewCaptions({ content }: { content: ContentOut }) {
  const put = usePutCaptions(content.orgId, content.uid);
  const input = useRef<HTMLInputElement>(null);
  const [language, setLanguage] = useState('');
  const [label, setLabel] = useState('');
  const [missing, setMissing] = useState(false);
  const choose = (file: File) => {
    const forget = () => {
      setLanguage('');
      setLabel('');
    };
    put.mutate({ language: language.trim(), label: label.trim(), file }, { onSuccess: forget });
  };
  const open = () => {
    setMissing(language.trim() === '');
    if (language.trim() !== '') input.current?.click();
  };
  return (
    <>
      <Group align="flex-start" gap="xs" className={classes.fields}>
        <TextInput
          label={texts.language}
          placeholder={texts.languageExample}
          flex={1}
          miw={110}
          value={language}
          error={missing ? texts.languageMissing : undefined}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        />
        <TextInput
          label={texts.label}
          placeholder={texts.labelExample}
          flex={2}
          miw={130}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Button variant="default" mt={25} loading={put.isPending} onClick={open}>
          {texts.add}
        </Button>
      </Group>
      <FileInput ref={input} label={texts.file} accept=".vtt,.srt,text/vtt,application/x-subrip" onFile={choose} />
      <Text c="dimmed" fz="xs">
        {texts.hint}
      </Text>
      {put.isError && <Complaint error={put.error} />}
    </>
  );
}

function Complaint({ error }: { error: Error }) {
  return (
    <Text c="var(--mantine-color-error)" fz="xs" role="alert">
      {messageOf(error)}
    </Text>
  );
}
