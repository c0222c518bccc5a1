/** All playlists, narrowed by title and put in the chosen order; more are loaded at the end. */
import { Select, Skeleton, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { PlaylistOut } from '@vitrine/api';
import { useState } from 'react';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { type Sort, sorts } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistCard } from './playlist-card.tsx';
import classes from './playlists.module.css';
import type { Pins } from './use-pins.ts';

/** Quiet time after the last key before the server is asked, in milliseconds. */
const TYPING_MS = 250;

interface PlaylistGridProps {
  playlists: readonly PlaylistOut[];
  pins: Pins;
  search: string;
  sort: Sort;
  onFilter: (filter: { search: string; sort: Sort }) => void;
  hasMore: boolean;
  loadingMore: boolean;
  onMore: () => void;
}

export function PlaylistGrid({
  playlists,
  pins,
  search,
  sort,
  onFilter,
  hasMore,
  loadingMore,
  onMore,
}: PlaylistGridProps) {
  const [typed, setTyped] = useState(search);
  const ask = useDebouncedCallback((text: string) => onFilter({ search: text.trim(), sort }), TYPING_MS);
  return (
    <section aria-labelledby="all-title" className={classes.section}>
      <div className={classes.head}>
        <Title order={2} fz={18} id="all-title">
          {playlistTexts.allPlaylists}
        </Title>
        <div className={classes.tools}>
          <TextInput
            type="search"
            flex={1}
            aria-label="Search playlists by title"
            placeholder="Search by title"
            leftSection={<IconSearch size={16} stroke={1.7} />}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              ask(event.currentTarget.value);
            }}
          />
          <Select
            aria-label="Sort playlists"
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
          No playlist has this title.
        </Text>
      ) : (
        <ul className={classes.grid}>
          {playlists.map((playlist) => (
            <li key={playlist.uid}>
              <PlaylistCard
                playlist={playlist}
                pinned={pins.pinned.includes(playlist.uid)}
                pinning={pins.busy === playlist.uid}
                onPin={pins.editable ? () => pins.toggle(playlist) : undefined}
              />
            </li>
          ))}
        </ul>
      )}
      <EndOfList hasMore={hasMore} busy={loadingMore} onMore={onMore} />
    </section>
  );
}

/** The shape of the screen while it is loaded. */
export function PlaylistsSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton height={22} width={180} mb="md" />
      <Skeleton height={74} radius="lg" mb="xl" />
      <Skeleton height={22} width={140} mb="md" />
      <div className={classes.grid}>
        {Array.from({ length: 4 }, (_, index) => (
          <Skeleton key={index.toString()} height={330} radius="lg" />
        ))}
      </div>
    </div>
  );
}
