/** Editing content from the list of all content: it may be put into a playlist, or deleted where it is in none. */
import { Select } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ContentOut } from '@vitrine/api';
import { useState } from 'react';
import { useAttachContent, useDeleteContent } from '~/features/content/api/content-queries.ts';
import { EditContentModal } from '~/features/content/parts/edit-content-modal.tsx';
import { playlistsQuery } from '../api/playlist-queries.ts';

export function EditLooseModal({ content, onClose }: { content: ContentOut; onClose: () => void }) {
  const [target, setTarget] = useState<string | null>(null);
  const query = useInfiniteQuery(playlistsQuery(content.orgId, { search: '', sort: 'new' }));
  const attach = useAttachContent(content.orgId);
  const remove = useDeleteContent(content.orgId);
  const playlists = query.data?.pages.flat() ?? [];
  return (
    <EditContentModal
      content={content}
      deleteWarning="It leaves the organisation. Content that is still in a playlist is not deleted."
      playlistField={
        <Select
          label="Playlist"
          placeholder="Add to a playlist"
          searchable
          clearable
          data={playlists.map(({ uid, title }) => ({ value: uid, label: title }))}
          value={target}
          onChange={setTarget}
          onDropdownOpen={() => void (query.hasNextPage && query.fetchNextPage())}
        />
      }
      onSaved={async () => {
        if (target !== null) await attach.mutateAsync({ uid: content.uid, playlistId: target });
      }}
      onDelete={() => remove.mutateAsync(content.uid).catch(() => undefined)}
      onClose={onClose}
    />
  );
}
