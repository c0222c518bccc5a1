/** Which organisations a person belongs to, reduced to one record each. */
import type { MembershipOut, Role } from '@vitrine/api';
import { isStaff, roleWeights } from './roles.ts';

/** One organisation of the signed-in person, with the highest role held there. */
export type Membership = MembershipOut;

/** Keeps known roles only (root is dropped, C-14) and the highest-ranked record of each organisation, in the order given. */
export function reduceMemberships(records: readonly MembershipOut[]): Membership[] {
  const best = new Map<string, MembershipOut>();
  for (const record of records) {
    if (!isKnown(record.role)) continue;
    const held = best.get(record.organisation.uid);
    if (held === undefined || roleWeights[record.role] > roleWeights[held.role]) {
      best.set(record.organisation.uid, record);
    }
  }
  return [...best.values()];
}

/** The organisations whose portal the person may enter. */
export function staffMemberships(memberships: readonly Membership[]): Membership[] {
  return memberships.filter(({ role }) => isStaff(role));
}

/** The wanted organisation if the person is staff there, otherwise the first one, otherwise none. */
export function chooseMembership(memberships: readonly Membership[], wanted: string | null): Membership | null {
  const staff = staffMemberships(memberships);
  return staff.find(({ organisation }) => organisation.uid === wanted) ?? staff[0] ?? null;
}

function isKnown(role: string): role is Role {
  return Object.hasOwn(roleWeights, role);
}
