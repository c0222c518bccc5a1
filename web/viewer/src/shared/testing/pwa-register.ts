/** Test double of the service worker registration. */
import { useState } from 'react';

/** Whether a newer version waits, and what was asked of the worker. */
export const worker = { waiting: false, updates: 0, checks: 0 };

interface Options {
  onRegisteredSW?: (address: string, registration: { update: () => Promise<void> }) => void;
}

/** The interface of `virtual:pwa-register/react`. */
export function useRegisterSW({ onRegisteredSW }: Options = {}) {
  const [waiting, setWaiting] = useState(() => {
    const update = async () => {
      worker.checks += 1;
    };
    onRegisteredSW?.('/app/sw.js', { update });
    return worker.waiting;
  });
  return {
    needRefresh: [waiting, setWaiting] as const,
    offlineReady: [false, () => undefined] as const,
    updateServiceWorker: async () => {
      worker.updates += 1;
    },
  };
}
