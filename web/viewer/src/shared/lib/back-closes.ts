/** Back closes what lies over a screen, as people expect it on a phone, instead of leaving the screen. */
import { useRouter } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What lies over the screen at this entry of the history. */
    layer?: string;
  }
}

type Router = ReturnType<typeof useRouter>;

/** While `open`, the history has one more entry; `onClose` is called when it is left. */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const router = useRouter();
  const close = useEffectEvent(onClose);
  // At once: Back may follow closely.
  useLayoutEffect(() => {
    if (!open) return;
    const { history } = router;
    // A reload keeps the entries, so a count would begin again; plain http has no `crypto.randomUUID`.
    const layer = `${Date.now()} ${Math.random()}`;
    // The screen stays the same, and so does its scroll position.
    void router.navigate({ to: '.', search: true, hash: true, state: { layer }, resetScroll: false });
    const stop = history.subscribe(() => {
      if (history.location.state.layer !== layer) close();
    });
    return () => {
      stop();
      if (history.location.state.layer === layer) history.back();
    };
  }, [open, router]);
}

/** Leaves the entry of a layer, so that the next page can replace the screen below. */
export function leaveLayer({ history }: Router): Promise<void> {
  if (history.location.state.layer === undefined) return Promise.resolve();
  return new Promise((left) => {
    const stop = history.subscribe(() => {
      stop();
      left();
    });
    history.back();
  });
}
