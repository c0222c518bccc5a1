/** The report of an upload: declared, received and detected values, and why it was rejected. */
import { Text } from '@mantine/core';
import type { ContentOut } from '@vitrine/api';
import { clock, fileSize } from '~/shared/lib/format.ts';
import { DetailList } from '~/shared/ui/detail-list.tsx';
import type { UploadReports as Reports } from '../api/content-queries.ts';
import { contentTexts } from '../texts.ts';

type Report = NonNullable<Reports['served']>;

interface UploadReportsProps {
  content: ContentOut;
  reports: Reports;
}

const texts = contentTexts.report;

export function UploadReports({ content, reports: { served, newer } }: UploadReportsProps) {
  return (
    <>
      {served != null && <One title={texts.served} report={served} content={content} />}
      {newer != null && <One title={texts.newer} report={newer} content={null} />}
      {served == null && newer == null && <Text c="dimmed">{texts.none}</Text>}
    </>
  );
}

function One({ title, report, content }: { title: string; report: Report; content: ContentOut | null }) {
  const { declared, received, status, reason, message, codecs } = report;
  const found = [
    [texts.codecs, codecs ?? ''],
    [texts.duration, content?.durationMs == null ? '' : clock(content.durationMs)],
    [
      texts.processing,
      content === null ? '' : (content.processingError?.message ?? texts.processed[content.processing]),
    ],
  ] as const;
  return (
    <section aria-label={title}>
      <Text fw={550} mt="sm">
        {title}
      </Text>
      <DetailList
        rows={[
          [texts.status, texts.statuses[status]],
          ...(status === 'rejected' ? [[texts.reason, message ?? reason ?? ''] as const] : []),
          [texts.declared, declaredWords(declared)],
          [texts.declaredMd5, declared.checksum],
          [texts.received, received == null ? texts.nothingYet : sizeAndType(received.size, received.type)],
          [texts.receivedMd5, received?.checksum ?? ''],
          [texts.sha256, received?.sha256 ?? ''],
          ...(content === null ? [] : found),
        ]}
      />
    </section>
  );
}

function declaredWords({ name, size, type }: Report['declared']): string {
  return [name, size == null ? '' : sizeAndType(size, type)].filter(Boolean).join(', ');
}

function sizeAndType(size: number, type: string | null | undefined): string {
  return [texts.exactSize(fileSize(size), size), type ?? ''].filter(Boolean).join(', ');
}
