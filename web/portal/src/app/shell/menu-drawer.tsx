/** The sidebar of small screens, sliding in. */
import { Drawer } from '@mantine/core';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      size="100%"
      padding={0}
      classNames={{ content: classes.drawer ?? '', body: classes.drawerBody ?? '' }}
      attributes={{ content: { 'aria-label': 'Menu' } }}
    >
      <Sidebar onClose={onClose} />
    </Drawer>
  );
}
