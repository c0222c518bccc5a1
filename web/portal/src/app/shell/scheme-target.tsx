/** The button that opens the theme menu, showing the current theme. */
import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { commonTexts } from '~/shared/lib/texts.ts';

/** The three color schemes with their labels and icons. */
export const schemes = [
  { value: 'light', label: commonTexts.themes.light, icon: IconSun },
  { value: 'dark', label: commonTexts.themes.dark, icon: IconMoon },
  { value: 'auto', label: commonTexts.themes.auto, icon: IconDeviceDesktop },
] as const;

export function SchemeTarget(button: Omit<ComponentProps<'button'>, 'color' | 'style'>) {
  const { colorScheme } = useMantineColorScheme();
  const Current = schemes.find(({ value }) => value === colorScheme)?.icon ?? IconSun;
  return (
    <ActionIcon {...button} variant="subtle" color="gray" size={36} aria-label={commonTexts.theme} aria-haspopup="menu">
      <Current size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
