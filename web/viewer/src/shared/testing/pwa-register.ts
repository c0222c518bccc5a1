/** Test double of the service worker registration: never an update. */

/** The interface of `virtual:pwa-register/react`. */
export function useRegisterSW() {
  return {
    needRefresh: [false, () => undefined] as const,
    offlineReady: [false, () => undefined] as const,
    updateServiceWorker: () => Promise.resolve(),
  };
}
