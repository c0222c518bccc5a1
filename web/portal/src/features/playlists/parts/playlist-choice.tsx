/** A list of the organisation's playlists to choose from. */
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronRight, IconPlaylist } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { useFailureToast } from '~/shared/ui/use-failure-toast.ts';
import { playlistsQuery } from '../api/playlist-queries.ts';
import { playlistTexts } from '../texts.ts';
import { ListEnd } from './list-end.tsx';
import classes from './pick-playlist-dialog.module.css';

interface PlaylistChoiceProps {
  orgId: string;
  /** The choice is being processed. */
  busy?: boolean;
  onChoose: (playlistId: string) => void;
  /** Absent if no playlist can be created here. */
  onCreate?: () => void;
}

export function PlaylistChoice({ orgId, busy = false, onChoose, onCreate }: PlaylistChoiceProps) {
  const query = useInfiniteQuery(playlistsQuery(orgId, { search: '', sort: 'new' }));
  const playlists = query.data?.pages.flat() ?? [];
  useFailureToast(query, playlistTexts.loadFailed);
  if (query.isLoadingError) {
    return <ErrorState message={playlistTexts.notLoaded} onRetry={() => void query.refetch()} />;
  }
  if (query.isPending) {
    return (
      <Stack gap="xs">
        <Skeleton height={52} />
        <Skeleton height={52} />
        <Skeleton height={52} />
      </Stack>
    );
  }
  if (playlists.length === 0) {
    return (
      <EmptyState
        icon={IconPlaylist}
        title={playlistTexts.none}
        action={onCreate && <Button onClick={onCreate}>{playlistTexts.createOne}</Button>}
      />
    );
  }
  return (
    <Stack gap={2} className={classes.list}>
      {playlists.map((playlist) => (
        <button
          key={playlist.uid}
          type="button"
          className={classes.choice}
          disabled={busy}
          onClick={() => onChoose(playlist.uid)}
        >
          <span className={classes.words}>
            <Text component="span" fw={550} truncate>
              {playlist.title}
            </Text>
            <Text component="span" c="dimmed" fz="xs">
              {playlistTexts.itemCount(playlist.stats.contentCount)}
            </Text>
          </span>
          <IconChevronRight size={18} stroke={1.7} aria-hidden />
        </button>
      ))}
      <ListEnd query={query} failure={playlistTexts.loadMoreFailed} />
    </Stack>
  );
}
