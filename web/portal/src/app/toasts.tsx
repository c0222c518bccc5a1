/** The toast container, loaded lazily: no toast is raised before the first paint. */
import { Notifications } from '@mantine/notifications';

export function Toasts() {
  return <Notifications position="bottom-right" limit={4} />;
}
