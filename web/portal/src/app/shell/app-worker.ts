/** The service worker of the built portal: registered once, checked for updates, activated when the person asks. */

/** How often an open tab checks for a newer version, in milliseconds. */
const CHECK_EVERY_MS = 3_600_000;

/** The worker as the shell sees it. */
export interface AppWorker {
  /** Registers the worker and starts checking for updates; does nothing where workers are unsupported. */
  start(): Promise<void>;
  /** Whether a newer version is waiting, or was activated by another tab. */
  hasNewer(): boolean;
  subscribe(listener: () => void): () => void;
  /** Activates the waiting worker, if any, and reloads the page. */
  update(): Promise<void>;
  /** Checks for an update, then reloads. Recovers a page whose files are no longer on the server. */
  reloadFresh(): Promise<void>;
}

/** Creates the controller. Without a container (development, tests) there is never an update. */
export function createAppWorker(container: ServiceWorkerContainer | undefined, reload: () => void): AppWorker {
  let registration: ServiceWorkerRegistration | undefined;
  let newer = false;
  const listeners = new Set<() => void>();

  const announce = () => {
    newer = true;
    for (const listener of listeners) listener();
  };

  const watch = async (worker: ServiceWorker | null) => {
    if (worker === null) return;
    await reaches(worker, ['installed', 'redundant']);
    // The first worker installed is not an update.
    if (worker.state === 'installed' && registration?.active) announce();
  };

  const look = () => void registration?.update().catch(() => undefined);

  const update = async () => {
    const waiting = registration?.waiting;
    if (waiting) {
      const settled = reaches(waiting, ['activated', 'redundant']);
      waiting.postMessage({ type: 'SKIP_WAITING' });
      await settled;
    }
    reload();
  };

  return {
    async start() {
      if (container === undefined || registration !== undefined) return;
      const controlled = container.controller !== null;
      registration = await container.register('/sw.js', { scope: '/' });
      if (registration.waiting) announce();
      void watch(registration.installing);
      registration.addEventListener('updatefound', () => void watch(registration?.installing ?? null));
      // Activated from another tab: this one keeps running its version and shows the banner.
      if (controlled) container.addEventListener('controllerchange', announce);
      setInterval(look, CHECK_EVERY_MS);
      window.addEventListener('online', look);
      document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
    },
    hasNewer: () => newer,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update,
    async reloadFresh() {
      await registration?.update().catch(() => undefined);
      const installing = registration?.installing;
      if (installing) await reaches(installing, ['installed', 'redundant']);
      await update();
    },
  };
}

/** The worker of this page. */
export const appWorker = createAppWorker(import.meta.env.PROD ? navigator.serviceWorker : undefined, () =>
  window.location.reload(),
);

function reaches(worker: ServiceWorker, states: readonly ServiceWorkerState[]): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!states.includes(worker.state)) return;
      worker.removeEventListener('statechange', look);
      resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });
}
