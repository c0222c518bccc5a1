/** The pinned playlists, in the organisation's order. */
import { arrayMove } from '@dnd-kit/sortable';

import { Group, Text, Title } from '@mantine/core';
import type { PlaylistOut } from '@vitrine/api';
import { SortableList } from '~/shared/ui/sortable.tsx';
import { MAX_PINNED } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistCard, PlaylistCardSkeletons } from './playlist-card.tsx';
import classes from './playlists.module.css';
import type { Pins } from './use-pins.ts';

interface PinnedBoardProps {
  playlists: readonly PlaylistOut[];
  pins: Pins;
  /** Some are still loading. */
  loading: boolean;
}

/** Read-only for people who may not update the organisation. */
export function PinnedBoard({ playlists, pins, loading }: PinnedBoardProps) {
  const byId = new Map(playlists.map((playlist) => [playlist.uid, playlist]));
  const ids = pins.pinned.filter((uid) => byId.has(uid));
  const card = (uid: string, handle?: React.ReactNode) => {
    const playlist = byId.get(uid);
    return playlist === undefined ? null : (
      <PlaylistCard
        playlist={playlist}
        pinned
        handle={handle}
        pinning={pins.busy(uid)}
        onPin={pins.editable ? () => pins.toggle(playlist) : undefined}
      />
    );
  };
  return (
    <section aria-labelledby="pinned-title" className={classes.section}>
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={18} id="pinned-title">
          {playlistTexts.pinnedPlaylists}
        </Title>
        {pins.editable && (
          <Text c="dimmed" fz="sm">
            {playlistTexts.canPinMore(MAX_PINNED - pins.pinned.length)}
          </Text>
        )}
      </Group>
      {loading ? (
        <PlaylistCardSkeletons className={classes.strip ?? ''} count={pins.pinned.length} />
      ) : ids.length === 0 ? (
        <div className={classes.noPins}>{playlistTexts.noPinned}</div>
      ) : pins.editable && ids.length > 1 ? (
        <SortableList
          label={playlistTexts.pinnedPlaylists}
          className={classes.strip}
          axis="horizontal"
          ids={ids}
          nameOf={(uid) => byId.get(uid)?.title ?? ''}
          onMove={(from, to) => pins.reorder(arrayMove(ids, from, to))}
          render={card}
        />
      ) : (
        <ul className={classes.strip}>
          {ids.map((uid) => (
            <li key={uid}>{card(uid)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
