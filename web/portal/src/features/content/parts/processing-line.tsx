/** Processing progress of an item, or why it failed. */
import { Badge, Button, Group, Progress, Text } from '@mantine/core';
import type { ContentOut } from '@vitrine/api';
import { clock } from '~/shared/lib/format.ts';
import { useRetryProcessing } from '../api/content-queries.ts';
import { isProcessing } from '../model.ts';
import { contentTexts } from '../texts.ts';

interface ProcessingLineProps {
  content: ContentOut;
  /** Whether the person may retry. */
  editable: boolean;
}

/** Renders nothing once the item is ready. */
export function ProcessingLine({ content, editable }: ProcessingLineProps) {
  if (content.processing === 'failed') return <Failed content={content} editable={editable} />;
  if (!isProcessing(content)) return null;
  const { progress, secondsLeft } = content;
  const left = secondsLeft == null ? '' : ` · ${contentTexts.timeLeft(clock(secondsLeft * 1000))}`;
  return (
    <div>
      <Group gap={8}>
        <Badge size="sm" color="blue">
          {contentTexts.processing}
        </Badge>
        {progress != null && (
          <Text fz="xs" c="dimmed" className="tabular">
            {contentTexts.percent(progress)}
            {left}
          </Text>
        )}
      </Group>
      {progress != null && (
        <Progress
          value={progress}
          size="xs"
          mt={4}
          radius="xl"
          aria-label={contentTexts.processingNamed(content.title)}
        />
      )}
    </div>
  );
}

function Failed({ content, editable }: ProcessingLineProps) {
  const retry = useRetryProcessing(content.orgId);
  return (
    <Group gap={8} wrap="nowrap">
      <Text fz="xs" c="var(--mantine-color-error)" flex={1}>
        {content.processingError?.message ?? contentTexts.processingFailed}
      </Text>
      {editable && (
        <Button
          variant="default"
          size="compact-sm"
          loading={retry.isPending}
          aria-label={contentTexts.retryProcessing(content.title)}
          onClick={() => retry.mutate(content.uid)}
        >
          {contentTexts.retry}
        </Button>
      )}
    </Group>
  );
}
