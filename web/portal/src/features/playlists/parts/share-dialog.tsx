/** Shares a playlist, or an item of it: who can open it, its link into the app and the QR code. */
import { Modal, Stack, Text } from '@mantine/core';
import type { ContentOut, PlaylistOut } from '@vitrine/api';
import { useReturnFocus } from '~/shared/lib/return-focus.ts';
import { LinkField } from '~/shared/ui/link-field.tsx';
import { appLink, audienceOf } from '../model.ts';
import { playlistTexts } from '../texts.ts';

interface ShareDialogProps {
  playlist: PlaylistOut;
  item?: ContentOut | undefined;
  /** Name of the organisation. */
  organisation: string;
  onClose: () => void;
}

export function ShareDialog({ playlist, item, organisation, onClose }: ShareDialogProps) {
  useReturnFocus();
  const audience = audienceOf(playlist, item);
  return (
    <Modal opened onClose={onClose} title={playlistTexts.shareNamed(item?.title ?? playlist.title)}>
      <Stack gap="md">
        <Text>{playlistTexts.audiences[audience](organisation)}</Text>
        {(audience === 'listed' || audience === 'joined' || audience === 'unlisted') && (
          <LinkField
            label={playlistTexts.shareLink}
            url={appLink(playlist, item)}
            copied={playlistTexts.linkCopied}
            fileName={playlistTexts.shareFile}
          />
        )}
      </Stack>
    </Modal>
  );
}
