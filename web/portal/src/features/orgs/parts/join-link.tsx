/** The joining link, generated on demand for public organisations. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconLink, IconRefresh } from '@tabler/icons-react';
import type { OrganisationOut } from '@vitrine/api';
import { useState } from 'react';
import { ConfirmDialog } from '~/shared/ui/confirm-dialog.tsx';
import { LinkField } from '~/shared/ui/link-field.tsx';
import { useGenerateJoinUrl } from '../api/org-queries.ts';
import { orgTexts } from '../texts.ts';
import { settingsTexts } from './texts.ts';

/** Reflects the saved organisation, not the unsaved form. */
export function JoinLink({ organisation }: { organisation: OrganisationOut }) {
  const generate = useGenerateJoinUrl(organisation.uid);
  const [asking, setAsking] = useState(false);
  const url = organisation.publicJoinUrl ?? '';
  const isPublic = organisation.privacy === 'public';
  return (
    <Stack gap="sm">
      {url === '' ? (
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconLink size={16} stroke={1.7} />}
            disabled={!isPublic}
            loading={generate.isPending}
            onClick={() => generate.mutate(false)}
          >
            {orgTexts.generateLink}
          </Button>
        </Group>
      ) : (
        <LinkField
          label={orgTexts.joinUrl}
          url={url}
          copied={orgTexts.joinUrlCopied}
          fileName={settingsTexts.joinUrlFile}
        />
      )}
      <Text c="dimmed" fz="xs">
        {isPublic ? settingsTexts.joinLinkHint : settingsTexts.joinLinkNeedsPublic}
      </Text>
      {url !== '' && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.7} />}
            onClick={() => setAsking(true)}
          >
            {settingsTexts.replaceLink}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asking}
        action={settingsTexts.replaceLink}
        busy={generate.isPending}
        onConfirm={() => generate.mutate(true, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        {settingsTexts.replaceQuestion}
      </ConfirmDialog>
    </Stack>
  );
}
