/** Light, dark, or as the machine is set; remembered. `scheme.js` sets it before the first paint. */
import { useSyncExternalStore } from 'react';
import { storage } from './storage.ts';

/** What a person may choose. */
export type SchemeChoice = 'light' | 'dark' | 'system';
/** What is shown. */
export type Scheme = 'light' | 'dark';

const listeners = new Set<() => void>();
const machineIsDark = window.matchMedia('(prefers-color-scheme: dark)');
const tell = () => {
  document.documentElement.dataset.theme = shownScheme();
  for (const listener of listeners) listener();
};
machineIsDark.addEventListener('change', tell);

/** Remembers and shows the choice. */
export function chooseScheme(choice: SchemeChoice): void {
  storage.set('scheme', choice);
  tell();
}

/** The person's choice; light at first. */
export function useSchemeChoice(): SchemeChoice {
  return useSyncExternalStore(subscribe, chosenScheme);
}

/** The scheme on the screen. */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, shownScheme);
}

function chosenScheme(): SchemeChoice {
  const choice = storage.get('scheme');
  return choice === 'dark' || choice === 'system' ? choice : 'light';
}

function shownScheme(): Scheme {
  const choice = chosenScheme();
  if (choice !== 'system') return choice;
  return machineIsDark.matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
