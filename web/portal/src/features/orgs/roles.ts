/** Roles, their weights and the screen policies they grant. */
import type { Role } from '@vitrine/api';
import { orgTexts } from './texts.ts';

/** Role weights, for comparing roles. */
export const roleWeights: Readonly<Record<Role, number>> = {
  user: 0,
  teamUser: 10,
  teamLeader: 11,
  manager: 12,
  accountAdmin: 20,
  superAdmin: 100,
};

/** Role labels; people who only gave consent appear as USER. */
export const roleLabels: Readonly<Record<Role, string>> = orgTexts.roles;

/** Policies that control which screens and buttons are shown. */
export const policies = {
  contentCreate: 'organization-content-create',
  playlistCreate: 'playlist-create',
  playlistList: 'playlist-list',
  playlistUpdate: 'playlist-update',
  analytics: 'organizations-analytics',
  usersList: 'organizations-users-list',
  organisationUpdate: 'organization-update',
} as const;

/** A screen policy. */
export type Policy = (typeof policies)[keyof typeof policies];

/** Short policy names used in the route and menu tables. */
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

/** Returns whether the role grants the policy. */
export function allows(role: Role, policy: Policy): boolean {
  return roleWeights[role] >= lowestWeight[policy];
}

/** Returns whether the role gives access to the dashboard; the plain role user does not. */
export function isStaff(role: Role): boolean {
  return roleWeights[role] > 0;
}
