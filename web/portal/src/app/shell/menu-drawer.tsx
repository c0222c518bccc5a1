/** The sidebar of small screens, sliding in. */
import { Drawer } from '@mantine/core';
import { appTexts } from '../texts.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** Holds the focus while it is open; Escape closes it. Who opened it gets the focus back from the frame. */
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
