/** A link to copy, with its QR code. */
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { copyText } from './copy-text.ts';
import classes from './link-field.module.css';
import { uiTexts } from './texts.ts';
import { toastFailure, toastSuccess } from './toasts.ts';

const QrImage = lazyPart(() => import('./qr-image.tsx'), 'QrImage');

interface LinkFieldProps {
  label: string;
  url: string;
  /** Toast after copying. */
  copied: string;
  /** Name of the downloaded image, without its ending. */
  fileName: string;
}

export function LinkField({ label, url, copied, fileName }: LinkFieldProps) {
  const copy = () =>
    copyText(url).then(
      () => toastSuccess(copied),
      () => toastFailure(uiTexts.copyFailed),
    );
  return (
    <Stack gap="sm">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={label}
          value={url}
          readOnly
          flex={1}
          classNames={{ input: classes.url ?? '' }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" leftSection={<IconCopy size={16} stroke={1.7} />} onClick={() => void copy()}>
          {uiTexts.copy}
        </Button>
      </Group>
      <Suspense fallback={<div className={classes.waiting} />}>
        <QrImage url={url} fileName={fileName} />
      </Suspense>
    </Stack>
  );
}
