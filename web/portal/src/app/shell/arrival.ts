/** Moves focus to the heading of a new screen, so that it is announced and Tab continues from there. */
import type { AnyRouter } from '@tanstack/react-router';

/** Subscribes for the lifetime of the router. Query changes and fields with autofocus are left alone. */
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
    // The screen is still loading; wait for its heading.
    waiting = new MutationObserver(() => focusHeading(left) && stopWaiting());
    waiting.observe(document.body, { childList: true, subtree: true });
  });
}

/** Returns whether focus is settled: on the heading, or on something the screen itself focused. */
function focusHeading(left: Element | null): boolean {
  const now = document.activeElement;
  if (now !== null && now !== document.body && now !== left) return true;
  const target = document.querySelector<HTMLElement>('main h1, [role="alert"] h1') ?? document.querySelector('main');
  if (target === null) return false;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  return true;
}
