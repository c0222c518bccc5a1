/** The button that opens the choice of the theme; it shows the present one. */
import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

/** The three schemes, with the words and signs they are offered by. */
export const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

export function SchemeTarget(button: Omit<ComponentProps<'button'>, 'color' | 'style'>) {
  const { colorScheme } = useMantineColorScheme();
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconSun;
  return (
    <ActionIcon {...button} variant="subtle" color="gray" size={36} aria-label="Theme" aria-haspopup="menu">
      <Current size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
