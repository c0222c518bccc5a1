/** Installing the app: the browser's offer for the linked manifest is kept until the person asks for it. */
import { useSyncExternalStore } from 'react';

interface InstallOffer extends Event {
  prompt: () => Promise<unknown>;
}

let offer: InstallOffer | null = null;
const listeners = new Set<() => void>();

function set(next: InstallOffer | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Keeps the offer for the button in Me, instead of the browser's own bar. */
export function keepInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    set(event as InstallOffer);
  });
  window.addEventListener('appinstalled', () => set(null));
}

/** Forgets the offer, which was for the app of another manifest. */
export const forgetInstallOffer = (): void => set(null);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the page runs as an installed app. */
function isInstalled(): boolean {
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === true || window.matchMedia('(display-mode: standalone)').matches;
}

/** iPhone and iPad make no offer, and install from the share menu of Safari; an iPad says that it is a Mac. */
function installsByHand(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}

/** How the app can be installed here: by the browser's dialog, by hand, or not at all. */
export type Installing = { how: 'dialog'; open: () => void } | { how: 'hand' } | { how: 'not' };

/** Follows whether the browser offers to install the app. */
export function useInstalling(): Installing {
  const current = useSyncExternalStore(subscribe, () => offer);
  if (isInstalled()) return { how: 'not' };
  if (current === null) return { how: installsByHand() ? 'hand' : 'not' };
  const open = () => {
    // An offer can be used once.
    set(null);
    void current.prompt().catch(() => undefined);
  };
  return { how: 'dialog', open };
}
