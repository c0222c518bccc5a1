/** Escape in a dialog above another dialog. */
import type { FocusEvent, KeyboardEvent } from 'react';

/** Returns the props of a modal that keep Escape from closing the dialog below it, too. */
export function ownEscape(onClose: () => void) {
  return {
    closeOnEscape: false,
    // Every open modal listens to the window, the lower one first; this is how Mantine marks elements to ignore.
    onFocusCapture: ({ target }: FocusEvent) => target.setAttribute('data-mantine-stop-propagation', 'true'),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
      event.stopPropagation();
      onClose();
    },
  };
}
