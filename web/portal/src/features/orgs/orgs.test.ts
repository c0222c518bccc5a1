import { renderHook } from '@testing-library/react';
import type { Role } from '@vitrine/api';
import { describe, expect, test, vi } from 'vitest';
import { membership } from '~/shared/testing/server.ts';
import { useCurrentOrg } from './current-org.tsx';
import { chooseMembership, reduceMemberships, staffMemberships } from './memberships.ts';
import { organisationRules, privacyOptions } from './model.ts';
import { allows, type Policy, policies, policyAliases, roleWeights } from './roles.ts';

const roles: Role[] = ['user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin'];
const holders = (policy: Policy) => roles.filter((role) => allows(role, policy));

test('roles have their weights', () => {
  expect(roles.map((role) => roleWeights[role])).toEqual([0, 10, 11, 12, 20, 100]);
});

test('each policy is granted from its lowest role up', () => {
  expect(holders(policies.playlistList)).toEqual(roles);
  expect(holders(policies.analytics)).toEqual(roles.slice(1));
  for (const policy of [policies.contentCreate, policies.playlistCreate, policies.playlistUpdate]) {
    expect(holders(policy)).toEqual(roles.slice(2));
  }
  for (const policy of [policies.usersList, policies.organisationUpdate]) {
    expect(holders(policy)).toEqual(roles.slice(4));
  }
});

test('the short names of the tables map to the full policies', () => {
  expect(policyAliases).toEqual({ analytics: 'organizations-analytics', 'users-list': 'organizations-users-list' });
});

describe('memberships', () => {
  test('the highest role in an organisation counts, in the order given, and root is dropped', () => {
    const root = { ...membership('superAdmin', 'c'), role: 'root' as Role };
    const reduced = reduceMemberships([
      membership('user', 'a'),
      membership('manager', 'b'),
      membership('teamLeader', 'a'),
      root,
    ]);
    expect(reduced.map(({ organisation, role }) => [organisation.uid, role])).toEqual([
      ['a', 'teamLeader'],
      ['b', 'manager'],
    ]);
  });
  test('the role user alone opens no dashboard', () => {
    expect(staffMemberships([membership('user')])).toEqual([]);
    expect(chooseMembership([membership('user')], null)).toBeNull();
  });
  test('the wanted organisation is chosen if one is staff there, otherwise the first', () => {
    const all = [membership('user', 'a'), membership('teamUser', 'b'), membership('manager', 'c')];
    expect(chooseMembership(all, 'c')?.organisation.uid).toBe('c');
    expect(chooseMembership(all, 'a')?.organisation.uid).toBe('b');
    expect(chooseMembership(all, null)?.organisation.uid).toBe('b');
  });
});

test('a screen outside an organisation throws', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => renderHook(() => useCurrentOrg())).toThrow(/^No orgId$/);
  vi.restoreAllMocks();
});

test('a website is an address or nothing', () => {
  expect([
    organisationRules.website(''),
    organisationRules.website('x'),
    organisationRules.website('https://x.example'),
  ]).toEqual([null, 'URL is invalid.', null]);
});

test('each privacy says what differs, and who can still join', () => {
  const hints = new Map(privacyOptions.map(({ value, hint }) => [value, hint]));
  expect(new Set(hints.values()).size).toBe(3);
  expect(hints.get('unlisted')).toContain('only people you invite can join');
  expect(hints.get('private')).toContain('Like Unlisted');
});
