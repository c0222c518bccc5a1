/** Stands in for the service worker in tests: there is never a newer version. */

/** As `virtual:pwa-register/react`. */
export function useRegisterSW() {
  return {
    needRefresh: [false, () => undefined] as const,
    offlineReady: [false, () => undefined] as const,
    updateServiceWorker: () => Promise.resolve(),
  };
}
