/** The color scheme: light, dark or system; stored. `scheme.js` applies it before the first paint. */
import type { Scheme } from '@vitrine/brand';
import { useSyncExternalStore } from 'react';
import { storage } from './storage.ts';

/** A person's choice. */
export type SchemeChoice = 'light' | 'dark' | 'system';

const listeners = new Set<() => void>();
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');
const apply = () => {
  document.documentElement.dataset.theme = shownScheme();
  for (const listener of listeners) listener();
};
systemIsDark.addEventListener('change', apply);

/** Stores and applies the choice. */
export function chooseScheme(choice: SchemeChoice): void {
  storage.set('scheme', choice);
  apply();
}

/** Returns the person's choice; the system's scheme by default. */
export function useSchemeChoice(): SchemeChoice {
  return useSyncExternalStore(subscribe, chosenScheme);
}

/** Returns the applied scheme. */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, shownScheme);
}

function chosenScheme(): SchemeChoice {
  const choice = storage.get('scheme');
  return choice === 'dark' || choice === 'light' ? choice : 'system';
}

function shownScheme(): Scheme {
  const choice = chosenScheme();
  if (choice !== 'system') return choice;
  return systemIsDark.matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
