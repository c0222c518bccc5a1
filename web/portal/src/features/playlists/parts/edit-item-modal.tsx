/** Editing content where it stands in a playlist: it may move to another one, or be deleted. */
import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { useState } from 'react';
import { EditContentModal } from '~/features/content/parts/edit-content-modal.tsx';
import { useDeleteItem, useMoveContent } from '../api/playlist-mutations.ts';
import { playlistsQuery } from '../api/playlist-queries.ts';

interface EditItemModalProps {
  content: ContentOut;
  playlist: PlaylistOut;
  onClose: () => void;
}

export function EditItemModal({ content, playlist, onClose }: EditItemModalProps) {
  const [target, setTarget] = useState(playlist.uid);
  const query = useInfiniteQuery(playlistsQuery(playlist.orgId, { search: '', sort: 'new' }));
  const move = useMoveContent(playlist.orgId);
  const remove = useDeleteItem(playlist.orgId, playlist.uid);
  const others = (query.data?.pages.flat() ?? []).filter(({ uid }) => uid !== playlist.uid);
  return (
    <EditContentModal
      content={content}
      deleteWarning="It leaves this playlist and the organisation."
      playlistField={
        <Select
          label="Playlist"
          searchable
          allowDeselect={false}
          data={[playlist, ...others].map(({ uid, title }) => ({ value: uid, label: title }))}
          value={target}
          onChange={(uid) => setTarget(uid ?? playlist.uid)}
          onDropdownOpen={() => void (query.hasNextPage && query.fetchNextPage())}
        />
      }
      onSaved={async () => {
        if (target !== playlist.uid) await move.mutateAsync({ uid: content.uid, from: playlist.uid, to: target });
      }}
      onDelete={() => remove.mutateAsync(content.uid).catch(() => undefined)}
      onClose={onClose}
    />
  );
}
