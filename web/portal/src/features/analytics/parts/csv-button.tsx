/** Saves what a chart or table shows as a CSV file, made in the browser. */
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { csvOf } from '~/shared/lib/csv.ts';
import { download } from '~/shared/lib/download.ts';
import { analyticsTexts } from '../texts.ts';

interface CsvButtonProps {
  /** What is saved. */
  title: string;
  fileName: string;
  /** The first row is the head. Undefined while loading. */
  rows: readonly (readonly (string | number)[])[] | undefined;
}

export function CsvButton({ title, fileName, rows }: CsvButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<IconDownload size={16} stroke={1.7} />}
      aria-label={analyticsTexts.csvNamed(title)}
      disabled={rows === undefined}
      onClick={() => rows !== undefined && download(fileName, csvOf(rows))}
    >
      {analyticsTexts.downloadCsv}
    </Button>
  );
}
