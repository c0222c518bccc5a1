/** Chooses one of the organisation's playlists in a form; all of them can be found in it. */
import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { PlaylistOut } from '@vitrine/api';
import { useEffect, useState } from 'react';
import { playlistsQuery } from '../api/playlist-queries.ts';

interface PlaylistSelectProps {
  orgId: string;
  /** Stands first, and something is chosen always. */
  current?: PlaylistOut;
  placeholder?: string;
  value: string | null;
  onChange: (playlistId: string | null) => void;
}

export function PlaylistSelect({ orgId, current, placeholder, value, onChange }: PlaylistSelectProps) {
  const [opened, setOpened] = useState(false);
  const query = useInfiniteQuery(playlistsQuery(orgId, { search: '', sort: 'new' }));
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  // The list is searched here, so an open one is filled to the end.
  useEffect(() => {
    if (opened && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [opened, hasNextPage, isFetching, isError, fetchNextPage]);
  const others = (query.data?.pages.flat() ?? []).filter(({ uid }) => uid !== current?.uid);
  const playlists = current === undefined ? others : [current, ...others];
  return (
    <Select
      label="Playlist"
      placeholder={placeholder ?? ''}
      searchable
      clearable={current === undefined}
      allowDeselect={current === undefined}
      data={playlists.map(({ uid, title }) => ({ value: uid, label: title }))}
      value={value}
      onChange={onChange}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
    />
  );
}
