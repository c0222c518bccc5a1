/** Chooses a picture, shows it, and refuses what is too large. */
import { ActionIcon, Button, Group, Input, Loader, Stack, Text, Tooltip } from '@mantine/core';
import { IconPhotoUp, IconTrash, type TablerIcon } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { commonTexts } from '../lib/texts.ts';
import { IMAGE_TYPES, judgeImage, previewOf, uploadImage } from '../upload/image.ts';
import { FileInput } from './file-input.tsx';
import classes from './image-field.module.css';
import { pictureKey } from './picture-wait.ts';
import { Thumbnail } from './thumbnail.tsx';
import { toastFailure, toastWarning } from './toasts.ts';

interface ImageFieldProps {
  label: string;
  hint: string;
  value: string;
  /** The organisation the picture belongs to. */
  orgId: string | undefined;
  /** Width to height of the picture. */
  ratio: string;
  /** Stand-in while there is no picture. */
  icon?: TablerIcon;
  /** What the server drew by itself: shown while no picture is chosen, and never sent. */
  drawn?: string;
  onChange: (url: string) => void;
  /** The form that waits for the picture (`usePictureWait`). */
  form?: string;
}

/** Uploads at once, showing the picture meanwhile; the form keeps only the address. */
export function ImageField({ label, hint, value, orgId, ratio, icon, drawn = '', onChange, form }: ImageFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState('');
  const send = useMutation({
    mutationKey: pictureKey(form),
    mutationFn: async (file: File) => {
      setPreview(await previewOf(file));
      return uploadImage(file, orgId);
    },
    onSuccess: onChange,
    onSettled: () => setPreview(''),
    meta: { failure: 'server' },
  });
  const choose = (file: File) => {
    if (send.isPending) return;
    const verdict = judgeImage(file);
    if (verdict === 'unsupported') return toastFailure(commonTexts.fileTypeUnsupported);
    if (verdict === 'tooLarge') return toastFailure(commonTexts.fileTooLarge);
    if (verdict === 'large') toastWarning(commonTexts.fileLarge);
    send.mutate(file);
  };
  return (
    <Input.Wrapper label={label} labelProps={{ htmlFor: id }}>
      <Group align="center" gap="md" wrap="nowrap">
        <div className={classes.frame} style={{ aspectRatio: ratio }} aria-busy={send.isPending}>
          <Thumbnail
            src={preview || value || drawn}
            className={classes.picture}
            {...(icon === undefined ? {} : { icon })}
          />
          {send.isPending && (
            <span className={classes.busy}>
              <Loader size={22} aria-label={commonTexts.uploading} role="status" />
            </span>
          )}
        </div>
        <Stack gap={6}>
          <Group gap={8}>
            <Button
              variant="default"
              leftSection={<IconPhotoUp size={16} stroke={1.7} />}
              loading={send.isPending}
              onClick={() => input.current?.click()}
            >
              {value === '' ? commonTexts.choosePicture : commonTexts.replacePicture}
            </Button>
            {value !== '' && (
              <Tooltip label={commonTexts.removePicture}>
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label={commonTexts.removeNamed(label)}
                  disabled={send.isPending}
                  onClick={() => onChange('')}
                >
                  <IconTrash size={16} stroke={1.7} />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
          <Text c="dimmed" fz="xs">
            {hint}
          </Text>
        </Stack>
        <FileInput ref={input} id={id} label={label} accept={IMAGE_TYPES.join(',')} onFile={choose} />
      </Group>
    </Input.Wrapper>
  );
}
