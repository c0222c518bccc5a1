/** The organisation selected in this tab; stored per tab, so that tabs can differ. */
import { useSyncExternalStore } from 'react';

const KEY = 'selectedOrganizationId';
const listeners = new Set<() => void>();

/** Returns the organisation selected in this tab, or null. */
export function selectedOrganisation(): string | null {
  return sessionStorage.getItem(KEY);
}

/** The same as a hook that follows changes. */
export function useSelectedOrganisation(): string | null {
  return useSyncExternalStore(subscribe, selectedOrganisation);
}

/** Selects an organisation for this tab; returns whether the selection changed. */
export function selectOrganisation(orgId: string): boolean {
  if (selectedOrganisation() === orgId) return false;
  sessionStorage.setItem(KEY, orgId);
  for (const listener of listeners) listener();
  return true;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
