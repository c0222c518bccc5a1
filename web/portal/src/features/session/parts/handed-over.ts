/** The email one sign-in screen passes to the next: in the history entry, never in the URL. */
import { useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The email typed on the previous screen. */
    email?: string;
  }
}

/** Returns the email typed on the previous screen, or an empty string. */
export function useHandedOverEmail(): string {
  return useLocation({ select: ({ state }) => state.email ?? '' });
}
