/** Asks which playlist new content goes into. */
import { Button, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconChevronRight, IconPlaylist } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SourceType } from '~/features/content/model.ts';
import { plural } from '~/shared/lib/format.ts';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { playlistsQuery } from '../api/playlist-queries.ts';
import { playlistTexts } from '../texts.ts';
import classes from './pick-playlist-dialog.module.css';

interface PickPlaylistDialogProps {
  orgId: string;
  source: SourceType;
  onCreate: () => void;
  onClose: () => void;
}

export function PickPlaylistDialog({ orgId, source, onCreate, onClose }: PickPlaylistDialogProps) {
  const navigate = useNavigate();
  const query = useInfiniteQuery(playlistsQuery(orgId, { search: '', sort: 'new' }));
  const playlists = query.data?.pages.flat() ?? [];
  const choose = (playlistId: string) =>
    navigate({ to: '/org/$orgId/playlists/$playlistId', params: { orgId, playlistId }, search: { add: source } });
  return (
    <Modal opened onClose={onClose} title="Choose a playlist" size="md">
      {query.isError ? (
        <ErrorState message={playlistTexts.loadFailed} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Stack gap="xs">
          <Skeleton height={52} />
          <Skeleton height={52} />
          <Skeleton height={52} />
        </Stack>
      ) : playlists.length === 0 ? (
        <EmptyState
          icon={IconPlaylist}
          title={playlistTexts.none}
          action={<Button onClick={onCreate}>{playlistTexts.createOne}</Button>}
        />
      ) : (
        <Stack gap={2} className={classes.list}>
          {playlists.map((playlist) => (
            <button
              key={playlist.uid}
              type="button"
              className={classes.choice}
              onClick={() => void choose(playlist.uid)}
            >
              <span className={classes.words}>
                <Text component="span" fw={550} truncate>
                  {playlist.title}
                </Text>
                <Text component="span" c="dimmed" fz="xs">
                  {plural(playlist.stats.contentCount, 'item')}
                </Text>
              </span>
              <IconChevronRight size={18} stroke={1.7} aria-hidden />
            </button>
          ))}
          <EndOfList
            hasMore={query.hasNextPage}
            busy={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        </Stack>
      )}
    </Modal>
  );
}
