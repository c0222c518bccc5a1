/** All playlists, filtered by title and sorted; more load at the end. */
import { Select, Skeleton, Text, Title } from '@mantine/core';
import type { PlaylistOut } from '@vitrine/api';
import type { ReactNode } from 'react';
import { SearchField } from '~/shared/ui/search-field.tsx';
import { type Sort, sorts } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistCard, PlaylistCardSkeletons } from './playlist-card.tsx';
import classes from './playlists.module.css';
import type { Pins } from './use-pins.ts';

interface PlaylistGridProps {
  playlists: readonly PlaylistOut[];
  pins: Pins;
  search: string;
  sort: Sort;
  onFilter: (filter: { search: string; sort: Sort }) => void;
  /** Shown below the cards. */
  end: ReactNode;
}

export function PlaylistGrid({ playlists, pins, search, sort, onFilter, end }: PlaylistGridProps) {
  return (
    <section aria-labelledby="all-title" className={classes.section}>
      <div className={classes.head}>
        <Title order={2} fz={18} id="all-title">
          {playlistTexts.allPlaylists}
        </Title>
        <div className={classes.tools}>
          <SearchField
            className={classes.search}
            label={playlistTexts.search}
            value={search}
            onSearch={(text) => onFilter({ search: text, sort })}
          />
          <Select
            aria-label={playlistTexts.sort}
            w={140}
            data={[...sorts]}
            value={sort}
            allowDeselect={false}
            onChange={(value) => onFilter({ search, sort: sorts.find((one) => one.value === value)?.value ?? 'new' })}
          />
        </div>
      </div>
      {playlists.length === 0 ? (
        <Text c="dimmed" ta="center" py="xl">
          {playlistTexts.noneFound}
        </Text>
      ) : (
        <ul className={classes.grid}>
          {playlists.map((playlist) => (
            <li key={playlist.uid}>
              <PlaylistCard
                playlist={playlist}
                pinned={pins.pinned.includes(playlist.uid)}
                pinning={pins.busy(playlist.uid)}
                onPin={pins.editable ? () => pins.toggle(playlist) : undefined}
              />
            </li>
          ))}
        </ul>
      )}
      {end}
    </section>
  );
}

/** The screen while loading. */
export function PlaylistsSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={24} width={180} mb="sm" />
      <div className={classes.section}>
        <PlaylistCardSkeletons className={classes.strip ?? ''} count={2} />
      </div>
      <Skeleton height={36} width={140} mb="md" />
      <PlaylistCardSkeletons className={classes.grid ?? ''} count={4} />
    </div>
  );
}
