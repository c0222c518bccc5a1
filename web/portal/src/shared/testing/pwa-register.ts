/** Stands in for the service worker registration, which tests do not have. */
export function useRegisterSW() {
  return { needRefresh: [false] as const, updateServiceWorker: async () => undefined };
}
