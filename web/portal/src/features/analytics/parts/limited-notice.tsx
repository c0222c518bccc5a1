/** Explains that the plan's horizon cut the range. */
import { Alert, Anchor, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { dayIn } from '../model.ts';
import { analyticsTexts } from '../texts.ts';

interface LimitedNoticeProps {
  /** The answers that may have been cut. */
  answers: readonly ({ limitedFrom?: string | null | undefined } | undefined)[];
  timeZone: string;
}

export function LimitedNotice({ answers, timeZone }: LimitedNoticeProps) {
  const from = answers.find((answer) => typeof answer?.limitedFrom === 'string')?.limitedFrom;
  if (typeof from !== 'string') return null;
  return (
    <Alert
      color="blue"
      mb="md"
      icon={<IconHistory size={18} stroke={1.7} />}
      title={analyticsTexts.limited(dayIn(from, timeZone))}
    >
      <Text fz="sm">
        {analyticsTexts.limitedHint}{' '}
        <Anchor component={Link} to="/billing" fz="sm" underline="always">
          {analyticsTexts.seeBilling}
        </Anchor>
      </Text>
    </Alert>
  );
}
