/** The file of a content item: processing, replacement and upload report. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ContentOut } from '@vitrine/api';
import { useRef, useState } from 'react';
import { fileSize } from '~/shared/lib/format.ts';
import { useNow } from '~/shared/lib/now.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { FileInput } from '~/shared/ui/file-input.tsx';
import { uploadReportQuery } from '../api/content-queries.ts';
import { uploads, useUploads } from '../api/upload-queue.ts';
import { contentTexts } from '../texts.ts';
import { isPaused, sentenceOf } from '../upload-words.ts';
import classes from './edit-content-modal.module.css';
import { ProcessingLine } from './processing-line.tsx';
import { UploadReports } from './upload-report.tsx';

/** For items with a file. Replacing the file keeps the item's address. */
export function FileSection({ content }: { content: ContentOut }) {
  const [opened, setOpened] = useState(false);
  return (
    <section className={classes.section} aria-label={contentTexts.file}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <div className={classes.words}>
            <Text fw={550} truncate>
              {content.file?.name ?? contentTexts.noFileYet}
            </Text>
            {content.file != null && (
              <Text c="dimmed" fz="xs" className="tabular">
                {fileSize(content.file.size)} · {content.file.type}
              </Text>
            )}
          </div>
          <ReplaceButton content={content} />
        </Group>
        <ReplacementLine contentId={content.uid} />
        <ProcessingLine content={content} editable />
        <details className={classes.details} onToggle={(event) => setOpened(event.currentTarget.open)}>
          <summary>{contentTexts.report.title}</summary>
          {opened && <Report content={content} />}
        </details>
      </Stack>
    </section>
  );
}

function ReplaceButton({ content }: { content: ContentOut }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = (file: File) => {
    uploads.add([{ file, job: { kind: 'replace', orgId: content.orgId, contentId: content.uid } }]);
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileUpload size={16} stroke={1.7} />}
        onClick={() => input.current?.click()}
      >
        {contentTexts.replaceFile}
      </Button>
      <FileInput ref={input} label={contentTexts.newVersion} onFile={choose} />
    </>
  );
}

/** Progress of a replacement; its buttons are in the upload panel. */
function ReplacementLine({ contentId }: { contentId: string }) {
  const entry = useUploads().findLast(({ job }) => job.kind === 'replace' && job.contentId === contentId);
  const now = useNow(entry !== undefined && isPaused(entry.state));
  if (entry === undefined) return null;
  const { state, name } = entry;
  const words = state.step === 'done' ? contentTexts.versionInPlace : sentenceOf(entry, now);
  return (
    <Text fz="xs" c={state.step === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'} className="tabular">
      {name}: {words}
    </Text>
  );
}

function Report({ content }: { content: ContentOut }) {
  const report = useQuery(uploadReportQuery(content.orgId, content.uid));
  if (report.isPending) return <Text c="dimmed">{contentTexts.report.loading}</Text>;
  if (report.data === undefined) {
    return (
      <Group role="alert">
        <Text c="var(--mantine-color-error)">{contentTexts.report.loadFailed}</Text>
        <Button variant="default" size="compact-sm" onClick={() => void report.refetch()}>
          {commonTexts.tryAgain}
        </Button>
      </Group>
    );
  }
  return <UploadReports content={content} reports={report.data} />;
}
