/** Tells that numbers failed to load, or wait for a connection; the last ones stay on the screen. */
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react';
import { commonTexts } from '~/shared/lib/texts.ts';
import type { Range } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './load-notice.module.css';

interface LoadNoticeProps {
  query: { isError: boolean; isPaused: boolean; refetch: () => unknown };
  /** The range of the figures on the screen. */
  shown: Range | undefined;
  /** The chosen range. */
  range: Range;
  /** In a section of a report, which says itself that there is no connection. */
  brief?: boolean;
}

export function LoadNotice({ query, shown, range, brief = false }: LoadNoticeProps) {
  const older = shown !== undefined && shown !== range && analyticsTexts.staleFor(analyticsTexts.ranges[shown]);
  if (query.isError) {
    return (
      <Alert
        color="red"
        role="alert"
        mb="md"
        icon={<IconAlertTriangle size={18} stroke={1.7} />}
        classNames={{ body: classes.body ?? '' }}
      >
        <div className={classes.row}>
          <div>
            <Text fw={550}>{analyticsTexts.contentError}</Text>
            {older && <Text fz="sm">{older}</Text>}
          </div>
          <Button variant="default" size="xs" onClick={() => void query.refetch()}>
            {commonTexts.tryAgain}
          </Button>
        </div>
      </Alert>
    );
  }
  if (!query.isPaused || !older) return null;
  return brief ? (
    <Text c="dimmed" fz="sm" mb="sm" role="status">
      {older}
    </Text>
  ) : (
    <Alert color="blue" role="status" mb="md" icon={<IconWifiOff size={18} stroke={1.7} />}>
      <Text fw={550}>{analyticsTexts.waiting}</Text>
      <Text fz="sm">{older}</Text>
    </Alert>
  );
}
