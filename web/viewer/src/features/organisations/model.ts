/** Which organisation is shown first, and who is followed. */
import type { ViewerOrganisationOut } from '@vitrine/api';

/** The remembered organisation if it is still joined, else the first one. */
export function preferred(
  organisations: readonly ViewerOrganisationOut[],
  remembered: string | null,
): ViewerOrganisationOut | undefined {
  return organisations.find(({ uid }) => uid === remembered) ?? organisations[0];
}

/** Only app users are counted; staff look at their own shop window. */
export function isFollowed({ role }: Pick<ViewerOrganisationOut, 'role'>): boolean {
  return role === 'user';
}

/** One or two letters for an organisation without a logo. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters =
    words.length > 1 ? [words[0], words[1]].map((word) => [...(word ?? '')][0]) : [...name.trim()].slice(0, 2);
  return letters.join('').toUpperCase();
}
