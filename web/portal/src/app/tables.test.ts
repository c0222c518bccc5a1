import { expect, test } from 'vitest';
import { allows } from '~/features/orgs/roles.ts';
import { menuItems } from './menu.ts';
import { routePolicies } from './route-policies.ts';

test('the routes carry the policies of the specification', () => {
  expect(routePolicies).toEqual({
    '/home': 'organizations-analytics',
    '/users': 'organizations-users-list',
    '/playlists': 'playlist-list',
    '/playlists/$playlistId': 'playlist-list',
    '/analytics': 'organizations-analytics',
    '/profile': 'organization-update',
    '/leads': 'organizations-analytics',
  });
});

test('the menu carries its own policies, in the order of the specification', () => {
  expect(menuItems.map(({ label, policy }) => [label, policy])).toEqual([
    ['Home', 'organizations-analytics'],
    ['Content', 'playlist-list'],
    ['Users', 'organizations-users-list'],
    ['Analytics', 'organization-update'],
    ['Leads', 'organization-update'],
    ['Profile', null],
    ['Organization', 'organizations-analytics'],
    ['Billing', null],
    ['Settings', null],
  ]);
});

test('a manager sees six items, an account admin all nine', () => {
  const shown = (role: 'manager' | 'accountAdmin') =>
    menuItems.filter(({ policy }) => policy === null || allows(role, policy)).map(({ label }) => label);
  expect(shown('manager')).toEqual(['Home', 'Content', 'Profile', 'Organization', 'Billing', 'Settings']);
  expect(shown('accountAdmin')).toHaveLength(9);
});
