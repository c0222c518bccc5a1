/** The joining link, generated on demand for public organisations. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';
import type { OrganisationOut } from '@vitrine/api';
import { toastFailure, toastSuccess } from '~/shared/ui/toasts.ts';
import { useGenerateJoinUrl } from '../api/org-queries.ts';
import { orgTexts } from '../texts.ts';

/** Reflects the saved organisation, not the unsaved form. */
export function JoinLink({ organisation }: { organisation: OrganisationOut }) {
  const generate = useGenerateJoinUrl(organisation.uid);
  const url = organisation.publicJoinUrl ?? '';
  const isPublic = organisation.privacy === 'public';
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toastSuccess(orgTexts.joinUrlCopied),
      () => toastFailure(orgTexts.copyFailed),
    );
  return (
    <Stack gap="xs">
      {url === '' ? (
        <Group gap="sm">
          <Button
            variant="default"
            leftSection={<IconLink size={16} stroke={1.7} />}
            disabled={!isPublic}
            loading={generate.isPending}
            onClick={() => generate.mutate()}
          >
            {orgTexts.generateLink}
          </Button>
        </Group>
      ) : (
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={orgTexts.joinUrl}
            value={url}
            readOnly
            flex={1}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button variant="default" leftSection={<IconCopy size={16} stroke={1.7} />} onClick={() => void copy()}>
            {orgTexts.copy}
          </Button>
        </Group>
      )}
      <Text c="dimmed" fz="xs">
        {isPublic ? orgTexts.joinLinkHint : orgTexts.joinLinkNeedsPublic}
      </Text>
    </Stack>
  );
}
