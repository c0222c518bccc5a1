/** Which organisation is shown first, and whose activity is tracked. */
import type { JoinedOrganisationOut } from '@vitrine/api';

/** Returns the remembered organisation if still joined, otherwise the first one. */
export function preferred(
  organisations: readonly JoinedOrganisationOut[],
  remembered: string | null,
): JoinedOrganisationOut | undefined {
  return organisations.find(({ uid }) => uid === remembered) ?? organisations[0];
}

/** Returns whether the person's activity is tracked; staff are not counted. */
export function isFollowed({ role }: Pick<JoinedOrganisationOut, 'role'>): boolean {
  return role === 'user';
}

/** Returns one or two letters for an organisation without a logo. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters =
    words.length > 1 ? [words[0], words[1]].map((word) => [...(word ?? '')][0]) : [...name.trim()].slice(0, 2);
  return letters.join('').toUpperCase();
}
