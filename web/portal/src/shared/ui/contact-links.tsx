/** Ways to reach a person. */
import { ActionIcon, Button, Group } from '@mantine/core';
import { IconCopy, IconMail, IconPhone } from '@tabler/icons-react';
import { Breakable } from './breakable.tsx';
import { copyText } from './copy-text.ts';
import { uiTexts } from './texts.ts';
import { toastFailure, toastSuccess } from './toasts.ts';

/** Links that write and call; without an address or a number, its link is missing. */
export function ContactLinks({ email, phoneNumber }: { email: string; phoneNumber: string }) {
  if (email === '' && phoneNumber === '') return null;
  return (
    <Group gap="xs" grow>
      {email !== '' && (
        <Button
          component="a"
          href={`mailto:${email}`}
          variant="default"
          size="xs"
          leftSection={<IconMail size={16} stroke={1.7} />}
        >
          {uiTexts.write}
        </Button>
      )}
      {phoneNumber !== '' && (
        <Button
          component="a"
          href={`tel:${phoneNumber.replaceAll(/[^+\d]/g, '')}`}
          variant="default"
          size="xs"
          leftSection={<IconPhone size={16} stroke={1.7} />}
        >
          {uiTexts.call}
        </Button>
      )}
    </Group>
  );
}

/** A value with a button that copies it. */
export function CopyableValue({ label, value }: { label: string; value: string }) {
  const copy = () =>
    copyText(value).then(
      () => toastSuccess(uiTexts.copied(label)),
      () => toastFailure(uiTexts.copyFailed),
    );
  return (
    <Group gap={4} wrap="nowrap" justify="space-between">
      <span>
        <Breakable text={value} />
      </span>
      <ActionIcon
        variant="subtle"
        color="gray"
        my={-4}
        aria-label={uiTexts.copyNamed(label)}
        onClick={() => void copy()}
      >
        <IconCopy size={16} stroke={1.7} />
      </ActionIcon>
    </Group>
  );
}
