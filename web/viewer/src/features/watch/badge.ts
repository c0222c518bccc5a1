/** The number of new items on the icon of the installed app. */
import { useEffect } from 'react';

/** Shows the number once it is known; 0 removes it. Browsers without badges ignore it. */
export function useBadge(count: number | undefined): void {
  useEffect(() => {
    if (count !== undefined) showBadge(count);
  }, [count]);
}

/** Shows the number on the icon; 0 removes it. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  // A browser may refuse to an app that is not installed.
  (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
}
