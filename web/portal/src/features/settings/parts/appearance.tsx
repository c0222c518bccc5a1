/** The look: light, dark, or as the system has it; the same choice as in the sidebar's foot (G-102). */
import { Center, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { Surface } from '~/shared/ui/surface.tsx';

const choices = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const;

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Surface>
      <SegmentedControl
        fullWidth
        aria-label="Theme"
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
