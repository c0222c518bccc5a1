/** Toasts: four seconds, closable, stacked, announced by their role. */
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../lib/texts.ts';

/** How long a toast stays, in milliseconds (spec section 9). */
export const TOAST_MS = 4000;

const closeButtonProps = { 'aria-label': commonTexts.close };

/** Something went well. */
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

/** Something failed. */
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

/** Something to know before going on. */
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
