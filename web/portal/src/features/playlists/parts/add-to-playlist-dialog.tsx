/** Asks for a playlist and adds the item to its end. */
import { Modal } from '@mantine/core';
import type { ContentOut } from '@vitrine/api';
import { useAttachContent } from '~/features/content/api/content-queries.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistChoice } from './playlist-choice.tsx';

interface AddToPlaylistDialogProps {
  orgId: string;
  content: ContentOut;
  onClose: () => void;
}

export function AddToPlaylistDialog({ orgId, content, onClose }: AddToPlaylistDialogProps) {
  const attach = useAttachContent(orgId);
  return (
    <Modal opened onClose={onClose} title={playlistTexts.addNamedTo(content.title)} size="md">
      <PlaylistChoice
        orgId={orgId}
        busy={attach.isPending}
        onChoose={(playlistId) => attach.mutate({ uid: content.uid, playlistId }, { onSuccess: onClose })}
      />
    </Modal>
  );
}
