/** Edits an item of a playlist, which can also be moved or deleted. */
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { useState } from 'react';
import { EditContentModal } from '~/features/content/parts/edit-content-modal.tsx';
import { useDeleteItem, useMoveContent } from '../api/playlist-mutations.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistSelect } from './playlist-select.tsx';

interface EditItemModalProps {
  content: ContentOut;
  playlist: PlaylistOut;
  onClose: () => void;
}

export function EditItemModal({ content, playlist, onClose }: EditItemModalProps) {
  const [target, setTarget] = useState(playlist.uid);
  const move = useMoveContent(playlist.orgId);
  const remove = useDeleteItem(playlist.orgId, playlist.uid);
  return (
    <EditContentModal
      content={content}
      deleteWarning={playlistTexts.deleteItemWarning}
      playlistField={
        <PlaylistSelect
          orgId={playlist.orgId}
          current={playlist}
          value={target}
          onChange={(uid) => setTarget(uid ?? playlist.uid)}
        />
      }
      onSaved={async () => {
        if (target !== playlist.uid) await move.mutateAsync({ uid: content.uid, from: playlist.uid, to: target });
      }}
      onDelete={(permanent) => remove.mutateAsync({ uid: content.uid, permanent }).catch(() => undefined)}
      onClose={onClose}
    />
  );
}
