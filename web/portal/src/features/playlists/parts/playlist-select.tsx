/** A form select for one of the organisation's playlists, with search by title on the server. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { PlaylistOut } from '@vitrine/api';
import { useState } from 'react';
import { CHOICES, playlistChoicesQuery } from '../api/playlist-queries.ts';
import { playlistTexts } from '../texts.ts';

interface PlaylistSelectProps {
  orgId: string;
  /** Listed first; if set, the field cannot be cleared. */
  current?: PlaylistOut;
  placeholder?: string;
  value: string | null;
  onChange: (playlistId: string | null) => void;
}

const SEARCH_PAUSE_MS = 250;

export function PlaylistSelect({ orgId, current, placeholder, value, onChange }: PlaylistSelectProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<PlaylistOut | undefined>(current);
  // The field contains the selected title, which is not a search.
  const [search] = useDebouncedValue(typed === chosen?.title ? '' : typed.trim(), SEARCH_PAUSE_MS);
  const query = useQuery(playlistChoicesQuery(orgId, search));
  const found = query.data ?? [];
  const known = [current, chosen].filter((one) => one !== undefined);
  const playlists = [...new Map([...known, ...found].map((one) => [one.uid, one])).values()];
  const more = found.length === CHOICES;
  return (
    <Select
      label={playlistTexts.playlist}
      placeholder={placeholder ?? ''}
      searchable
      clearable={current === undefined}
      allowDeselect={current === undefined}
      data={[
        ...playlists.map(({ uid, title }) => ({ value: uid, label: title })),
        ...(more ? [{ value: '', label: playlistTexts.typeForMore, disabled: true }] : []),
      ]}
      filter={({ options }) => options}
      nothingFoundMessage={query.isFetching ? playlistTexts.searching : playlistTexts.noneFound}
      value={value}
      onChange={(uid) => {
        setChosen(playlists.find((one) => one.uid === uid));
        onChange(uid);
      }}
      onSearchChange={setTyped}
    />
  );
}
