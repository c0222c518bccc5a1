/** The sidebar as a drawer, on small screens. */
import { Drawer } from '@mantine/core';
import { appTexts } from '../texts.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** Traps focus while open; Escape closes it. The frame returns focus to the button that opened it. */
export function MenuDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      returnFocus={false}
      withCloseButton={false}
      size="100%"
      padding={0}
      classNames={{ content: classes.drawer ?? '', body: classes.drawerBody ?? '' }}
      attributes={{ content: { 'aria-label': appTexts.menuName } }}
    >
      <Sidebar onClose={onClose} />
    </Drawer>
  );
}
