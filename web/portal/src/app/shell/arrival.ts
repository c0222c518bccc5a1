/** Where the focus goes when another screen has come: to its heading, so that it is read out and Tab goes on from there. */
import type { AnyRouter } from '@tanstack/react-router';

/** Follows the router for its whole life. A changed query, and a field that takes the focus by itself, are left alone. */
export function focusOnArrival(router: AnyRouter): void {
  let left: Element | null = null;
  let waiting: MutationObserver | null = null;
  const stopWaiting = () => {
    waiting?.disconnect();
    waiting = null;
  };
  router.subscribe('onBeforeNavigate', () => {
    left = document.activeElement;
    stopWaiting();
  });
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation === undefined || !pathChanged || focusHeading(left)) return;
    // The frame is still loading: the heading comes with it.
    waiting = new MutationObserver(() => focusHeading(left) && stopWaiting());
    waiting.observe(document.body, { childList: true, subtree: true });
  });
}

/** Whether there is nothing more to do: the heading has the focus, or somebody else took it. */
function focusHeading(left: Element | null): boolean {
  const now = document.activeElement;
  if (now !== null && now !== document.body && now !== left) return true;
  const target = document.querySelector<HTMLElement>('main h1, [role="alert"] h1') ?? document.querySelector('main');
  if (target === null) return false;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  return true;
}
