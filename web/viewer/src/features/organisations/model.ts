/** Which organisation is shown first, and whose activity counts. */
import type { JoinedOrganisationOut } from '@vitrine/api';

/** Returns the remembered organisation if still joined, otherwise the first one. */
export function preferred(
  organisations: readonly JoinedOrganisationOut[],
  remembered: string | null,
): JoinedOrganisationOut | undefined {
  return organisations.find(({ uid }) => uid === remembered) ?? organisations[0];
}

/** Returns whether the person is an app user, whose visits, downloads and taps count; those of staff do not. */
export function isFollowed({ role }: Pick<JoinedOrganisationOut, 'role'>): boolean {
  return role === 'user';
}
