/** Tells that numbers failed to load, or wait for a connection; the last ones stay on the screen. */
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './load-notice.module.css';

interface LoadNoticeProps {
  query: { isError: boolean; isPaused: boolean; refetch: () => unknown };
  /** Which figures are on the screen, if they are not those that were chosen. */
  older: string | undefined;
  /** Without the reason: for a section of a report. */
  brief?: boolean;
}

export function LoadNotice({ query, older, brief = false }: LoadNoticeProps) {
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
            <Text fw={550}>{commonTexts.contentError}</Text>
            {older !== undefined && <Text fz="sm">{older}</Text>}
          </div>
          <Button variant="default" size="xs" onClick={() => void query.refetch()}>
            {commonTexts.tryAgain}
          </Button>
        </div>
      </Alert>
    );
  }
  const waits = query.isPaused && older !== undefined;
  if (brief) {
    return waits ? (
      <Text c="dimmed" fz="sm" mb="sm">
        {older}
      </Text>
    ) : null;
  }
  // Stays mounted as a live region, so that screen readers announce what appears in it.
  return (
    <div role="status">
      {waits && (
        <Alert color="blue" role="note" mb="md" icon={<IconWifiOff size={18} stroke={1.7} />}>
          <Text fw={550}>{analyticsTexts.waiting}</Text>
          <Text fz="sm">{older}</Text>
        </Alert>
      )}
    </div>
  );
}
