/** The theme menu: light, dark or system. */
import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { appTexts } from '../texts.ts';
import { useOpened } from './menu-with-target.tsx';
import { SchemeTarget, schemes } from './scheme-target.tsx';

/** The choice is stored in this browser. `wanted`: the button was pressed before the menu had loaded. */
export function SchemeSwitch({ wanted }: { wanted: boolean }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="top" width={160} {...useOpened(wanted)}>
      <Menu.Target>
        <SchemeTarget />
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} stroke={1.7} />}
            rightSection={
              value === colorScheme ? <IconCheck size={16} stroke={1.8} aria-label={appTexts.selected} /> : null
            }
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
