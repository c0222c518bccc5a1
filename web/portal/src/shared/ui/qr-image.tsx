/** The QR code of a link. Imports the encoder, so load it on demand. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { download } from '../lib/download.ts';
import { qrCode, qrPng } from '../lib/qr.ts';
import classes from './link-field.module.css';
import { uiTexts } from './texts.ts';

/** Pixels per side of the downloaded image. */
const PNG_WIDTH = 1024;

export function QrImage({ url, fileName }: { url: string; fileName: string }) {
  const code = useMemo(() => qrCode(url), [url]);
  const save = useMutation({
    mutationFn: async () => download(`${fileName}.png`, await qrPng(code, PNG_WIDTH)),
    meta: { failure: 'server' },
  });
  return (
    <Group gap="md" align="center">
      <svg className={classes.code} viewBox={`0 0 ${code.size} ${code.size}`} role="img" shapeRendering="crispEdges">
        <title>{uiTexts.qrCodeOf(url)}</title>
        <path d={code.path} fill="currentColor" />
      </svg>
      <Stack gap={6} align="flex-start">
        <Text c="dimmed" fz="xs">
          {uiTexts.qrHint}
        </Text>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.7} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {uiTexts.qrDownload}
        </Button>
      </Stack>
    </Group>
  );
}
