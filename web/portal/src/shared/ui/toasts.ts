/** Toasts: closable, stacked, announced by role. */
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../lib/texts.ts';

/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 4000;

const closeButtonProps = { 'aria-label': commonTexts.close };

/** Shows a success toast. */
export function toastSuccess(message: string): void {
  notifications.show({
    message,
    color: 'green',
    autoClose: TOAST_MS,
    withCloseButton: true,
    role: 'status',
    closeButtonProps,
  });
}

/** Shows an error toast. */
export function toastFailure(message: string): void {
  notifications.show({
    message,
    color: 'red',
    autoClose: TOAST_MS,
    withCloseButton: true,
    role: 'alert',
    closeButtonProps,
  });
}

/** Shows a warning toast. */
export function toastWarning(message: string): void {
  notifications.show({
    message,
    color: 'yellow',
    autoClose: TOAST_MS,
    withCloseButton: true,
    role: 'status',
    closeButtonProps,
  });
}
