/** Returns the focus when a dialog that is mounted open goes away. */
import { useEffect, useState } from 'react';

/** Focuses what had the focus before the dialog, or the main area if that is gone. */
export function useReturnFocus(): void {
  // Read while rendering, before the dialog takes the focus.
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // A focus that was moved on purpose stays.
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const gone = !(before instanceof HTMLElement) || before === document.body || !before.isConnected;
      (gone ? document.getElementById('content') : before)?.focus();
    },
    [before],
  );
}
