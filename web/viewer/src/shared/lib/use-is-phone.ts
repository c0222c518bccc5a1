/** Whether the window is as narrow as a phone. */
import { useSyncExternalStore } from 'react';

const phone = window.matchMedia('(max-width: 599px)');

/** Returns whether the navigation is at the bottom. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches);
}

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener);
  return () => phone.removeEventListener('change', listener);
}
