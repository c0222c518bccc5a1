/** Edits an item from the list of all content, which can be added to a playlist, or deleted if it is in none. */
import type { ContentOut } from '@vitrine/api';
import { useState } from 'react';
import { useAttachContent, useDeleteContent } from '~/features/content/api/content-queries.ts';
import { EditContentModal } from '~/features/content/parts/edit-content-modal.tsx';
import { playlistTexts } from '../texts.ts';
import { PlaylistSelect } from './playlist-select.tsx';

export function EditLooseModal({ content, onClose }: { content: ContentOut; onClose: () => void }) {
  const [target, setTarget] = useState<string | null>(null);
  const attach = useAttachContent(content.orgId);
  const remove = useDeleteContent(content.orgId);
  return (
    <EditContentModal
      content={content}
      deleteWarning={playlistTexts.deleteLooseWarning}
      playlistField={
        <PlaylistSelect
          orgId={content.orgId}
          placeholder={playlistTexts.addToAny}
          value={target}
          onChange={setTarget}
        />
      }
      onSaved={async () => {
        if (target !== null) await attach.mutateAsync({ uid: content.uid, playlistId: target });
      }}
      onDelete={(permanent) => remove.mutateAsync({ uid: content.uid, permanent }).catch(() => undefined)}
      onClose={onClose}
    />
  );
}
