/** The service worker of the built portal: registered once, asked for newer versions, swapped when a person says so. */

/** How often a tab that stays open asks for a newer version, in milliseconds. */
const CHECK_EVERY_MS = 3_600_000;

/** What the shell knows and wants of the worker. */
export interface AppWorker {
  /** Registers the worker and begins to look for newer versions; a browser without workers stays as it is. */
  start(): Promise<void>;
  /** Whether a newer version waits, or has been taken by another tab. */
  hasNewer(): boolean;
  subscribe(listener: () => void): () => void;
  /** Activates the waiting worker, if there is one, and reloads the page. */
  update(): Promise<void>;
  /** Looks for a newer version first: the way out of a page whose files are gone from the server. */
  reloadFresh(): Promise<void>;
}

/** Makes the worker's keeper; without a container (development, tests) there is never a newer version. */
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
    // The very first worker takes nobody's place.
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
      // Taken in another tab: this one goes on with what it has, and says so.
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
