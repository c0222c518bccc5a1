/** Where toasts are drawn. A part of its own: no screen needs it before it can be used. */
import { Notifications } from '@mantine/notifications';

export function Toasts() {
  return <Notifications position="bottom-right" limit={4} />;
}
