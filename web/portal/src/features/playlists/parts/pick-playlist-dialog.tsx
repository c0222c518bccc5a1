/** Asks for the playlist of new content. */
import { Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { SourceType } from '~/features/content/model.ts';
import { playlistTexts } from '../texts.ts';
import { PlaylistChoice } from './playlist-choice.tsx';

interface PickPlaylistDialogProps {
  orgId: string;
  source: SourceType;
  onCreate: () => void;
  onClose: () => void;
}

export function PickPlaylistDialog({ orgId, source, onCreate, onClose }: PickPlaylistDialogProps) {
  const navigate = useNavigate();
  const choose = (playlistId: string) =>
    void navigate({ to: '/org/$orgId/playlists/$playlistId', params: { orgId, playlistId }, search: { add: source } });
  return (
    <Modal opened onClose={onClose} title={playlistTexts.choose} size="md">
      <PlaylistChoice orgId={orgId} onChoose={choose} onCreate={onCreate} />
    </Modal>
  );
}
