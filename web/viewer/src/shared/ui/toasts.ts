/** Toasts: each stays for 4 seconds or until closed. */
import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  tone: 'success' | 'failure';
  text: string;
}

const LIFE_MS = 4000;

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

export function showToast(tone: Toast['tone'], text: string): void {
  made += 1;
  const toast: Toast = { id: made, tone, text };
  change([...toasts, toast]);
  setTimeout(() => closeToast(toast.id), LIFE_MS);
}

/** Removes a toast. */
export function closeToast(id: number): void {
  if (toasts.some((toast) => toast.id === id)) change(toasts.filter((toast) => toast.id !== id));
}

/** Returns the current toasts, oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
