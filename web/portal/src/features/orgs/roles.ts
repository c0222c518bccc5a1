/** Roles, their weights and the screen policies each of them carries (spec section 6, rules 6.1). */
import type { Role } from '@vitrine/api';
import { orgTexts } from './texts.ts';

/** Weights; roles are compared by them. */
export const roleWeights: Readonly<Record<Role, number>> = {
  user: 0,
  teamUser: 10,
  teamLeader: 11,
  manager: 12,
  accountAdmin: 20,
  superAdmin: 100,
};

/** What people read; consent-only people appear as USER (C-69). */
export const roleLabels: Readonly<Record<Role, string>> = orgTexts.roles;

/** Policies by which screens and buttons are shown. */
export const policies = {
  contentCreate: 'organization-content-create',
  playlistCreate: 'playlist-create',
  playlistList: 'playlist-list',
  playlistUpdate: 'playlist-update',
  analytics: 'organizations-analytics',
  usersList: 'organizations-users-list',
  organisationUpdate: 'organization-update',
} as const;

/** One screen policy. */
export type Policy = (typeof policies)[keyof typeof policies];

/** The short words of the route and menu tables (C-03). */
export const policyAliases = {
  analytics: policies.analytics,
  'users-list': policies.usersList,
} as const;

const lowestWeight: Readonly<Record<Policy, number>> = {
  'playlist-list': roleWeights.user,
  'organizations-analytics': roleWeights.teamUser,
  'organization-content-create': roleWeights.teamLeader,
  'playlist-create': roleWeights.teamLeader,
  'playlist-update': roleWeights.teamLeader,
  'organizations-users-list': roleWeights.accountAdmin,
  'organization-update': roleWeights.accountAdmin,
};

/** Whether the role carries the policy. */
export function allows(role: Role, policy: Policy): boolean {
  return roleWeights[role] >= lowestWeight[policy];
}

/** Whether the role opens the dashboard at all; the plain role user does not (C-04). */
export function isStaff(role: Role): boolean {
  return roleWeights[role] > 0;
}
