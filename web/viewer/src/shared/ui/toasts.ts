/** The toasts on the screen: each stays 4 s or until it is closed. */
import { useSyncExternalStore } from 'react';

/** One message. */
export interface Toast {
  id: number;
  tone: 'success' | 'failure';
  text: string;
}

const LIFE_MS = 4000;

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

/** Shows a message. */
export function showToast(tone: Toast['tone'], text: string): void {
  made += 1;
  const toast: Toast = { id: made, tone, text };
  change([...toasts, toast]);
  setTimeout(() => closeToast(toast.id), LIFE_MS);
}

/** Takes a message away. */
export function closeToast(id: number): void {
  if (toasts.some((toast) => toast.id === id)) change(toasts.filter((toast) => toast.id !== id));
}

/** The messages to show, oldest first. */
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
