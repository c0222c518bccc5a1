/** The organisation selected in this tab; kept for the tab alone, so that two tabs may differ (C-68). */
import { useSyncExternalStore } from 'react';

const KEY = 'selectedOrganizationId';
const listeners = new Set<() => void>();

/** The organisation this tab works with; null before the first one is chosen. */
export function selectedOrganisation(): string | null {
  return sessionStorage.getItem(KEY);
}

/** The same for a part of a screen, which follows changes. */
export function useSelectedOrganisation(): string | null {
  return useSyncExternalStore(subscribe, selectedOrganisation);
}

/** Selects an organisation for this tab; answers whether that changed anything. */
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
