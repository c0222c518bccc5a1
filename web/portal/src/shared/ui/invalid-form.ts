/** The toast of a step that is not valid: shown once, and gone as soon as the step is valid. */
import { notifications } from '@mantine/notifications';
import { commonTexts } from '../lib/texts.ts';
import { TOAST_MS } from './toasts.ts';

const ID = 'invalid-form';

/** Says that the step is not valid. */
export function toastInvalidForm(): void {
  // Again, so that it is announced again and stays as long as the first time.
  notifications.hide(ID);
  notifications.show({
    id: ID,
    message: commonTexts.invalidForm,
    color: 'red',
    autoClose: TOAST_MS,
    withCloseButton: true,
    role: 'alert',
    closeButtonProps: { 'aria-label': commonTexts.close },
  });
}

/** Takes the toast away. */
export function hideInvalidForm(): void {
  notifications.hide(ID);
}
