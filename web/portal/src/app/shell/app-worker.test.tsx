/** The service worker controller with a fake container; the journeys test it with two real builds. */
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { Providers } from '../providers.tsx';
import { type AppWorker, createAppWorker } from './app-worker.ts';
import { Notices } from './notices.tsx';
import { UpdateBanner } from './update-banner.tsx';

class Worker extends EventTarget {
  state: ServiceWorkerState = 'installing';
  heard: unknown[] = [];
  postMessage(message: unknown) {
    this.heard.push(message);
  }
  becomes(state: ServiceWorkerState) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}

class Registration extends EventTarget {
  installing: Worker | null = null;
  waiting: Worker | null = null;
  active: Worker | null = null;
  update = vi.fn(async () => undefined);
  /** Simulates that a newer script was found. */
  finds(): Worker {
    const worker = new Worker();
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
    return worker;
  }
  installs(worker: Worker) {
    this.installing = null;
    this.waiting = worker;
    worker.becomes('installed');
  }
}

class Container extends EventTarget {
  controller: Worker | null = null;
  registration: Registration;
  constructor(registration: Registration) {
    super();
    this.registration = registration;
  }
  register = vi.fn(async () => this.registration);
}

/** A page controlled by a worker, or on its first visit. */
function page({ firstVisit = false } = {}) {
  const registration = new Registration();
  const container = new Container(registration);
  if (!firstVisit) {
    registration.active = new Worker();
    container.controller = registration.active;
  }
  const reload = vi.fn();
  const worker = createAppWorker(container as unknown as ServiceWorkerContainer, reload);
  return { registration, container, reload, worker };
}

/** Moves a worker to a state. */
const settled = () => act(async () => undefined);

/** The notices' live region; toasts have their own. */
const notices = () => screen.getByRole('status');

const show = (worker: AppWorker) =>
  render(
    <Providers client={createQueryClient()} env="test">
      <Notices worker={worker} />
    </Providers>,
  );

afterEach(() => vi.restoreAllMocks());

describe('a newer version', () => {
  test('is announced once it is installed, and activated and loaded when asked for', async () => {
    const { registration, reload, worker } = page();
    await worker.start();
    const next = registration.finds();
    expect(worker.hasNewer()).toBe(false);
    registration.installs(next);
    await settled();
    expect(worker.hasNewer()).toBe(true);

    void worker.update();
    expect(next.heard).toEqual([{ type: 'SKIP_WAITING' }]);
    await settled();
    expect(reload).not.toHaveBeenCalled();
    registration.waiting = null;
    next.becomes('activated');
    await settled();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('that waits since an earlier visit is announced at once', async () => {
    const { registration, worker } = page();
    registration.waiting = new Worker();
    registration.waiting.state = 'installed';
    await worker.start();
    expect(worker.hasNewer()).toBe(true);
  });

  test('the first installation is not an update', async () => {
    const { registration, container, worker } = page({ firstVisit: true });
    await worker.start();
    const first = registration.finds();
    registration.installs(first);
    await settled();
    registration.active = first;
    container.dispatchEvent(new Event('controllerchange'));
    expect(worker.hasNewer()).toBe(false);
  });

  test('activated in another tab is announced here, where Update only reloads', async () => {
    const { container, reload, worker } = page();
    await worker.start();
    container.dispatchEvent(new Event('controllerchange'));
    expect(worker.hasNewer()).toBe(true);
    expect(reload).not.toHaveBeenCalled();
    await worker.update();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('that could not be installed is not announced', async () => {
    const { registration, worker } = page();
    await worker.start();
    const broken = registration.finds();
    registration.installing = null;
    broken.becomes('redundant');
    await settled();
    expect(worker.hasNewer()).toBe(false);
  });

  test('is checked for when the tab is shown again and when back online', async () => {
    const { registration, worker } = page();
    await worker.start();
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('online'));
    expect(registration.update).toHaveBeenCalledTimes(2);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(registration.update).toHaveBeenCalledTimes(2);
  });
});

describe('a fresh reload', () => {
  test('checks for a newer version first and activates it', async () => {
    const { registration, reload, worker } = page();
    await worker.start();
    let next = new Worker();
    registration.update.mockImplementationOnce(async () => {
      next = registration.finds();
      return undefined;
    });
    void worker.reloadFresh();
    await settled();
    expect(reload).not.toHaveBeenCalled();
    registration.installs(next);
    await settled();
    expect(next.heard).toEqual([{ type: 'SKIP_WAITING' }]);
    registration.waiting = null;
    next.becomes('activated');
    await settled();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test('is a plain one when there is no newer version, no server, or no worker', async () => {
    const { registration, reload, worker } = page();
    await worker.start();
    registration.update.mockRejectedValueOnce(new TypeError('no line'));
    await worker.reloadFresh();
    expect(reload).toHaveBeenCalledTimes(1);
    const plain = vi.fn();
    const none = createAppWorker(undefined, plain);
    await none.start();
    await none.reloadFresh();
    expect(plain).toHaveBeenCalledTimes(1);
  });
});

describe('the notices', () => {
  test('offer the new version, with a button that is busy once it was pressed', async () => {
    const { registration, worker } = page();
    show(worker);
    await settled();
    expect(notices()).toBeEmptyDOMElement();
    const next = registration.finds();
    registration.installs(next);
    await settled();
    expect(notices()).toHaveTextContent('A new version of the app is available!');
    await userEvent.click(screen.getByRole('button', { name: 'Update' }));
    expect(next.heard).toEqual([{ type: 'SKIP_WAITING' }]);
    expect(screen.getByRole('button', { name: 'Update' })).toHaveAttribute('data-loading', 'true');
  });

  test('show that the connection is lost, until it is back', async () => {
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    show(page().worker);
    expect(notices()).toBeEmptyDOMElement();
    line.mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(notices()).toHaveTextContent(/^You are offline\./);
    line.mockReturnValue(true);
    act(() => void window.dispatchEvent(new Event('online')));
    expect(notices()).toBeEmptyDOMElement();
  });

  test('a browser that refuses workers does not crash the app', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const refusing = { ...page().worker, start: () => Promise.reject(new Error('private window')) } satisfies AppWorker;
    show(refusing);
    await settled();
    expect(warned).toHaveBeenCalledTimes(1);
    expect(notices()).toBeEmptyDOMElement();
  });

  test('are loaded after the first paint', async () => {
    render(
      <Providers client={createQueryClient()} env="test">
        <UpdateBanner />
      </Providers>,
    );
    expect(screen.queryByRole('status')).toBeNull();
    expect(await screen.findByRole('status')).toBeEmptyDOMElement();
  });
});
