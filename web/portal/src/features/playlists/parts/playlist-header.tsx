/** The header of a playlist: cover, title, description and contact. */
import { ActionIcon, Badge, Button, Group, Text, Title, Tooltip } from '@mantine/core';
import { IconChartBar, IconMail, IconPencil, IconPhone, IconShare2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { PlaylistOut } from '@vitrine/api';
import type { SourceType } from '~/features/content/model.ts';
import { ScheduleBadge } from '~/features/content/parts/schedule-fields.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { session } from '~/shared/api/session.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { BackLink } from '~/shared/ui/back-link.tsx';
import { Thumbnail } from '~/shared/ui/thumbnail.tsx';
import { privacyLabels } from '../model.ts';
import { playlistTexts } from '../texts.ts';
import { AddMenu } from './add-menu.tsx';
import classes from './playlist-header.module.css';

interface PlaylistHeaderProps {
  playlist: PlaylistOut;
  onAdd: (source: SourceType) => void;
  onEdit: () => void;
  onShare: () => void;
}

export function PlaylistHeader({ playlist, onAdd, onEdit, onShare }: PlaylistHeaderProps) {
  const { can } = useCurrentOrg();
  const { title, description, privacy, contact, previewUrl, itemPreviews } = playlist;
  return (
    <header className={classes.header}>
      <BackLink to={`/org/${playlist.orgId}/playlists`} label={playlistTexts.back} />
      <div className={classes.row}>
        <Thumbnail src={previewUrl} mosaic={itemPreviews} cover={playlist} className={classes.image ?? ''} />
        <div className={classes.words}>
          <Group gap={10}>
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            <Badge color={privacy === 'public' ? 'green' : 'gray'}>{privacyLabels[privacy]}</Badge>
            <ScheduleBadge dated={playlist} now={session.now()} />
          </Group>
          {description !== '' && <Text className={classes.description}>{description}</Text>}
          <Group gap="md" mt={4}>
            <Text c="dimmed" fz="sm" className={classes.contact} component="span">
              <IconPhone size={16} stroke={1.7} aria-label={playlistTexts.contactPhone} />
              {contact.phoneNumber || commonTexts.notAvailable}
            </Text>
            <Text c="dimmed" fz="sm" className={classes.contact} component="span">
              <IconMail size={16} stroke={1.7} aria-label={playlistTexts.contactEmail} />
              {contact.email || commonTexts.notAvailable}
            </Text>
          </Group>
        </div>
        <Group gap="xs" className={classes.actions}>
          {can(policies.analytics) && (
            <Tooltip label={playlistTexts.numbers}>
              <ActionIcon
                component={Link}
                to={`/org/${playlist.orgId}/analytics/playlists/${playlist.uid}`}
                variant="default"
                size={36}
                aria-label={playlistTexts.numbersOf(title)}
              >
                <IconChartBar size={18} stroke={1.7} />
              </ActionIcon>
            </Tooltip>
          )}
          <Button variant="default" leftSection={<IconShare2 size={16} stroke={1.7} />} onClick={onShare}>
            {playlistTexts.share}
          </Button>
          {can(policies.playlistUpdate) && (
            <Button variant="default" leftSection={<IconPencil size={16} stroke={1.7} />} onClick={onEdit}>
              {commonTexts.edit}
            </Button>
          )}
          <AddMenu onContent={onAdd} />
        </Group>
      </div>
    </header>
  );
}
