/** Whether the browser believes to have a line. */
import { useSyncExternalStore } from 'react';

/** Follows the browser's own opinion, which may be too hopeful but is never too gloomy. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
