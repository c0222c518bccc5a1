/** One playlist: cover, privacy, item count, watch time and pin. */
import { ActionIcon, Badge, Group, Skeleton, Text, Tooltip } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import type { ReactNode } from 'react';
import { ScheduleBadge } from '~/features/content/parts/schedule-fields.tsx';
import { session } from '~/shared/api/session.ts';
import { wholeMinutes } from '~/shared/lib/format.ts';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { privacyLabels } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import classes from './playlist-card.module.css';

interface PlaylistCardProps {
  playlist: PlaylistOut;
  pinned: boolean;
  /** Absent for people who may not update the organisation; they only see the state. */
  onPin?: (() => void) | undefined;
  pinning?: boolean;
  handle?: ReactNode;
}

export function PlaylistCard({ playlist, pinned, onPin, pinning = false, handle }: PlaylistCardProps) {
  const { uid, orgId, title, privacy, stats, previewUrl, itemPreviews } = playlist;
  return (
    <article className={classes.card}>
      <Thumbnail src={previewUrl} mosaic={itemPreviews} cover={playlist} className={classes.image ?? ''} />
      <div className={classes.body}>
        <div className={classes.words}>
          <Link to="/org/$orgId/playlists/$playlistId" params={{ orgId, playlistId: uid }} className={classes.title}>
            {title}
          </Link>
          <Group gap={8} mt={4}>
            <Badge size="sm" color={privacy === 'public' ? 'green' : 'gray'}>
              {privacyLabels[privacy]}
            </Badge>
            <ScheduleBadge dated={playlist} now={session.now()} />
            <Text component="span" c="dimmed" fz="xs" className="tabular">
              {playlistTexts.itemCount(stats.contentCount)} · {playlistTexts.watched(wholeMinutes(stats.watchTimeMs))}
            </Text>
          </Group>
        </div>
        <div className={classes.actions}>
          {handle}
          {onPin === undefined ? (
            pinned && (
              <IconPinFilled size={18} className={classes.pinned} role="img" aria-label={playlistTexts.pinned} />
            )
          ) : (
            <PinButton playlist={playlist} pinned={pinned} pinning={pinning} onPin={onPin} />
          )}
        </div>
      </div>
    </article>
  );
}

/** Cards while loading. */
export function PlaylistCardSkeletons({ className, count }: { className: string; count: number }) {
  return (
    <div className={className} aria-busy="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index.toString()} className={classes.card}>
          <Skeleton className={classes.image ?? ''} height="auto" radius={0} />
          <div className={classes.body}>
            <div className={classes.words}>
              <Skeleton height={16} my={3} width="55%" />
              <Skeleton height={16} mt={7} width="35%" />
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

interface PinButtonProps {
  playlist: PlaylistOut;
  pinned: boolean;
  pinning: boolean;
  onPin: () => void;
}

/** Disabled for playlists that are not public, unless already pinned. */
function PinButton({ playlist, pinned, pinning, onPin }: PinButtonProps) {
  const allowed = pinned || playlist.privacy === 'public';
  const label = pinned ? playlistTexts.unpin : allowed ? playlistTexts.pin : playlistTexts.onlyPublicPinned;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={pinned ? 'orange' : 'gray'}
        size={36}
        loading={pinning}
        data-disabled={!allowed || undefined}
        aria-disabled={!allowed}
        aria-pressed={pinned}
        aria-label={playlistTexts.pinNamed(playlist.title)}
        onClick={allowed ? onPin : undefined}
      >
        {pinned ? <IconPinFilled size={18} /> : <IconPin size={18} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  );
}
