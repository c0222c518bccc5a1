/** The Add button, with the entries the person has rights for. */
import { Button, Menu } from '@mantine/core';
import { IconBrandYoutube, IconChevronDown, IconFileUpload, IconPlaylistAdd } from '@tabler/icons-react';
import type { SourceType } from '~/features/content/model.ts';
import { contentTexts } from '~/features/content/texts.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { playlistTexts } from '../texts.ts';

interface AddMenuProps {
  onContent: (source: SourceType) => void;
  /** Absent inside a playlist. */
  onPlaylist?: () => void;
}

/** Renders nothing if the person may not add anything. */
export function AddMenu({ onContent, onPlaylist }: AddMenuProps) {
  const { can } = useCurrentOrg();
  const content = can(policies.contentCreate);
  const playlist = onPlaylist !== undefined && can(policies.playlistCreate);
  if (!content && !playlist) return null;
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={16} stroke={1.8} />}>{playlistTexts.add}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {content && (
          <>
            <Menu.Item leftSection={<IconFileUpload size={18} stroke={1.6} />} onClick={() => onContent('file')}>
              {contentTexts.addFile}
            </Menu.Item>
            <Menu.Item leftSection={<IconBrandYoutube size={18} stroke={1.6} />} onClick={() => onContent('url')}>
              {contentTexts.addVideo}
            </Menu.Item>
          </>
        )}
        {playlist && (
          <Menu.Item leftSection={<IconPlaylistAdd size={18} stroke={1.6} />} onClick={onPlaylist}>
            {playlistTexts.addPlaylist}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
