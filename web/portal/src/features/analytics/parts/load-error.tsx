/** Tells that numbers failed to load; the last ones stay on the screen. */
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { commonTexts } from '~/shared/lib/texts.ts';
import type { Range } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';
import classes from './load-error.module.css';

interface LoadErrorProps {
  onRetry: () => void;
  /** The range of the figures on the screen, if it is not the chosen one. */
  shown?: Range | undefined;
}

export function LoadError({ onRetry, shown }: LoadErrorProps) {
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
          {shown !== undefined && <Text fz="sm">{analyticsTexts.staleFor(analyticsTexts.ranges[shown])}</Text>}
        </div>
        <Button variant="default" size="xs" onClick={onRetry}>
          {commonTexts.tryAgain}
        </Button>
      </div>
    </Alert>
  );
}
