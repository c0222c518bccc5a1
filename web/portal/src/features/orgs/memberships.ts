/** A person's memberships, reduced to one per organisation. */
import type { MembershipOut, Role } from '@vitrine/api';
import { isStaff, roleWeights } from './roles.ts';

/** One organisation of the signed-in person, with the highest role held there. */
export type Membership = MembershipOut;

/** Drops unknown roles, and keeps the highest-ranked record of each organisation in the given order. */
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

/** Returns the memberships that give access to the portal. */
export function staffMemberships(memberships: readonly Membership[]): Membership[] {
  return memberships.filter(({ role }) => isStaff(role));
}

/** Returns the wanted organisation if the person is staff there, otherwise the first one, otherwise null. */
export function chooseMembership(memberships: readonly Membership[], wanted: string | null): Membership | null {
  const staff = staffMemberships(memberships);
  return staff.find(({ organisation }) => organisation.uid === wanted) ?? staff[0] ?? null;
}

function isKnown(role: string): role is Role {
  return Object.hasOwn(roleWeights, role);
}
