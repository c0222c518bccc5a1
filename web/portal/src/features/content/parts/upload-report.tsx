/** The truth about an upload: what was announced, what came, what was found in it, why it was turned away. */
import { Text } from '@mantine/core';
import type { ContentOut } from '@vitrine/api';
import { clock, fileSize } from '~/shared/lib/format.ts';
import { Facts } from '~/shared/ui/facts.tsx';
import type { UploadReports as Reports } from '../api/content-queries.ts';

type Report = NonNullable<Reports['served']>;

interface UploadReportsProps {
  content: ContentOut;
  reports: Reports;
}

const processed = {
  none: 'Not needed',
  queued: 'Waiting for its turn',
  running: 'Going on',
  done: 'Done',
  failed: 'Failed',
} as const;

const statuses = { pending: 'Waiting for the file', available: 'Available', rejected: 'Rejected' } as const;

export function UploadReports({ content, reports: { served, newer } }: UploadReportsProps) {
  return (
    <>
      {served != null && <One title="The file that is shown" report={served} content={content} />}
      {newer != null && <One title="A newer upload" report={newer} content={null} />}
      {served == null && newer == null && <Text c="dimmed">There is no upload to report on.</Text>}
    </>
  );
}

function One({ title, report, content }: { title: string; report: Report; content: ContentOut | null }) {
  const { declared, received, status, reason, message, codecs } = report;
  const found = [
    ['Codecs', codecs ?? ''],
    ['Duration', content?.durationMs == null ? '' : clock(content.durationMs)],
    ['Processing', content === null ? '' : (content.processingError?.message ?? processed[content.processing])],
  ] as const;
  return (
    <section aria-label={title}>
      <Text fw={550} mt="sm">
        {title}
      </Text>
      <Facts
        rows={[
          ['Status', statuses[status]],
          ...(status === 'rejected' ? [['Reason', message ?? reason ?? ''] as const] : []),
          ['Declared', declaredWords(declared)],
          ['Declared MD5', declared.checksum],
          ['Received', received == null ? 'Nothing yet' : sizeAndType(received.size, received.type)],
          ['Received MD5', received?.checksum ?? ''],
          ['SHA-256', received?.sha256 ?? ''],
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
  return [`${fileSize(size)} (${size} bytes)`, type ?? ''].filter(Boolean).join(', ');
}
