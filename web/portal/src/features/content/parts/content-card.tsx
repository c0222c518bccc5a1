/** One item of a playlist: preview, title, what it is, how often it was seen. */
import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { ContentOut } from '@vitrine/api';
import type { ReactNode } from 'react';
import { clock, plural, timeAgo } from '~/shared/lib/format.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { contentKinds, isProcessing } from '../model.ts';
import classes from './content-card.module.css';

interface ContentCardProps {
  content: ContentOut;
  /** Shown in the preview now. */
  selected: boolean;
  now: number;
  /** Replaces the edit button while the list is put in order. */
  handle?: ReactNode;
  onSelect: () => void;
  /** Absent for those who may not edit. */
  onEdit?: (() => void) | undefined;
}

/** Choosing the card shows it in the preview. */
export function ContentCard({ content, selected, now, handle, onSelect, onEdit }: ContentCardProps) {
  const { icon, label } = contentKinds[content.kind];
  return (
    <article className={classes.card} data-selected={selected || undefined}>
      <Thumbnail
        src={content.previewUrl}
        icon={icon}
        className={classes.picture ?? ''}
        badge={content.durationMs == null ? undefined : clock(content.durationMs)}
      />
      <div className={classes.words}>
        <button type="button" className={classes.title} aria-pressed={selected} onClick={onSelect}>
          {content.title}
        </button>
        <Text c="dimmed" fz="xs" className="tabular">
          {label} · {plural(Math.max(0, content.stats.views), 'view')} · {timeAgo(content.timeCreated, now)}
        </Text>
        <Group gap={6}>
          <Badge size="sm" color={content.privacy === 'public' ? 'green' : 'gray'}>
            {content.privacy === 'public' ? 'Public' : 'Private'}
          </Badge>
          {isProcessing(content) && (
            <Badge size="sm" color="blue">
              Processing
            </Badge>
          )}
        </Group>
      </div>
      {handle ??
        (onEdit !== undefined && (
          <Tooltip label="Edit">
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              className={classes.action ?? ''}
              aria-label={`Edit ${content.title}`}
              onClick={onEdit}
            >
              <IconPencil size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        ))}
    </article>
  );
}
