/** The theme: light, dark or system; the same setting as in the sidebar. */
import { Center, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Surface } from '~/shared/ui/surface.tsx';

const choices = [
  { value: 'light', label: commonTexts.themes.light, icon: IconSun },
  { value: 'dark', label: commonTexts.themes.dark, icon: IconMoon },
  { value: 'auto', label: commonTexts.themes.auto, icon: IconDeviceDesktop },
] as const;

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Surface>
      <SegmentedControl
        fullWidth
        aria-label={commonTexts.theme}
        value={colorScheme}
        onChange={setColorScheme}
        data={choices.map(({ value, label, icon: Icon }) => ({
          value,
          label: (
            <Center style={{ gap: 8 }}>
              <Icon size={16} stroke={1.7} aria-hidden />
              {label}
            </Center>
          ),
        }))}
      />
    </Surface>
  );
}
