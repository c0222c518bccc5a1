/** The address that one sign-in screen hands to the next: in the history entry, never in the URL. */
import { useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Typed on the screen before. */
    email?: string;
  }
}

/** The address typed on the screen before; empty when there is none. */
export function useHandedOverEmail(): string {
  return useLocation({ select: ({ state }) => state.email ?? '' });
}
