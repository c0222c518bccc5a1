/** One item of a list: preview, title, kind, views and age. */
import { ActionIcon, Badge, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ContentOut } from '@vitrine/api';
import type { ReactNode } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Ago } from '~/shared/ui/when.tsx';
import { contentKinds } from '../model.ts';
import { contentTexts } from '../texts.ts';
import classes from './content-card.module.css';
import { ItemThumbnail } from './item-thumbnail.tsx';
import { ProcessingLine } from './processing-line.tsx';
import { ScheduleBadge } from './schedule-fields.tsx';

interface ContentCardProps {
  content: ContentOut;
  /** Currently shown in the preview. */
  selected: boolean;
  now: number;
  /** Replaces the edit button while reordering. */
  handle?: ReactNode;
  /** Shown before the edit button. */
  action?: ReactNode;
  onSelect: () => void;
  /** Absent if the person may not edit. */
  onEdit?: (() => void) | undefined;
}

/** Selecting the card shows it in the preview. */
export function ContentCard({ content, selected, now, handle, action, onSelect, onEdit }: ContentCardProps) {
  const { label } = contentKinds[content.kind];
  return (
    <article className={classes.card} data-selected={selected || undefined}>
      <ItemThumbnail item={content} length className={classes.image ?? ''} />
      <div className={classes.words}>
        <button type="button" className={classes.title} aria-pressed={selected} onClick={onSelect}>
          <span className={classes.name}>{content.title}</span>
        </button>
        <Text c="dimmed" fz="xs" className="tabular">
          {label} · {contentTexts.views(Math.max(0, content.stats.views))} ·{' '}
          <Ago time={content.timeCreated} now={now} />
        </Text>
        <Group gap={6}>
          <Badge size="sm" color={content.privacy === 'public' ? 'green' : 'gray'}>
            {content.privacy === 'public' ? commonTexts.public : commonTexts.private}
          </Badge>
          <ScheduleBadge dated={content} now={now} />
        </Group>
      </div>
      <div className={classes.actions}>
        {handle === undefined && action}
        {handle ??
          (onEdit !== undefined && (
            <Tooltip label={commonTexts.edit}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={contentTexts.editNamed(content.title)}
                onClick={onEdit}
              >
                <IconPencil size={18} stroke={1.7} />
              </ActionIcon>
            </Tooltip>
          ))}
      </div>
      <div className={classes.line}>
        <ProcessingLine content={content} editable={onEdit !== undefined} />
      </div>
    </article>
  );
}

/** A card while loading. */
export function CardSkeleton() {
  return (
    <div className={classes.card}>
      <Skeleton className={classes.image ?? ''} height="auto" style={{ aspectRatio: '16 / 9' }} />
      <div className={classes.words}>
        <Skeleton height={16} width="60%" />
        <Skeleton height={12} width="80%" />
        <Skeleton height={18} width={56} radius="xl" />
      </div>
    </div>
  );
}

/** A list of cards while loading. */
export function ContentListSkeleton() {
  return (
    <Stack gap="xs" aria-busy="true">
      <CardSkeleton />
      <CardSkeleton />
      <CardSkeleton />
      <CardSkeleton />
    </Stack>
  );
}
