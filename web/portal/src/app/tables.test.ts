/** Routes and menu by role: two tables that differ on purpose. */
import { createMemoryHistory } from '@tanstack/react-router';
import type { Role } from '@vitrine/api';
import { describe, expect, test } from 'vitest';
import { allows, policies, policyAliases, roleLabels } from '~/features/orgs/roles.ts';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { neverPagePatterns } from '~/shared/lib/never-pages.ts';
import { menuItems } from './menu.ts';
import { routePolicies } from './route-policies.ts';
import { createAppRouter } from './router.tsx';

const roles: Role[] = ['user', 'teamUser', 'teamLeader', 'manager', 'accountAdmin', 'superAdmin'];

/** One letter per role, in the order above: y opens or sees it, - does not. */
const row = (may: (role: Role) => boolean) => roles.map((role) => (may(role) ? 'y' : '-')).join('');

test('the routes have their policies', () => {
  expect(routePolicies).toEqual({
    '/home': 'organizations-analytics',
    '/users': 'organizations-users-list',
    '/playlists': 'playlist-list',
    '/playlists/$playlistId': 'playlist-list',
    '/analytics': 'organizations-analytics',
    '/analytics/content/$contentId': 'organizations-analytics',
    '/analytics/playlists/$playlistId': 'organizations-analytics',
    '/profile': 'organization-update',
    '/leads': 'organizations-analytics',
    '/audit': 'organization-update',
  });
});

// The role user has playlist-list, but cannot enter the portal.
test.each([
  ['/home', '-yyyyy'],
  ['/users', '----yy'],
  ['/playlists', 'yyyyyy'],
  ['/playlists/$playlistId', 'yyyyyy'],
  ['/analytics', '-yyyyy'],
  ['/analytics/content/$contentId', '-yyyyy'],
  ['/analytics/playlists/$playlistId', '-yyyyy'],
  ['/profile', '----yy'],
  ['/leads', '-yyyyy'],
  ['/audit', '----yy'],
] as const)('the route %s is open to %s', (route, expected) => {
  expect(row((role) => allows(role, routePolicies[route]))).toBe(expected);
});

test('the menu has its own policies and order', () => {
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

test.each([
  ['Home', '-yyyyy'],
  ['Content', 'yyyyyy'],
  ['Users', '----yy'],
  ['Analytics', '----yy'],
  ['Leads', '----yy'],
  ['Profile', 'yyyyyy'],
  ['Organization', '-yyyyy'],
  ['Billing', 'yyyyyy'],
  ['Settings', 'yyyyyy'],
])('the menu item %s is shown to %s', (label, expected) => {
  const item = menuItems.find((one) => one.label === label);
  expect(row((role) => item?.policy === null || (item !== undefined && allows(role, item.policy)))).toBe(expected);
});

test('menu and routes differ in exactly three policies', () => {
  const differing = menuItems.flatMap(({ label, path, inOrg, policy }) => {
    const route = inOrg ? routePolicies[path as keyof typeof routePolicies] : null;
    return route === policy ? [] : [`${label}: ${policy} / ${route}`];
  });
  expect(differing).toEqual([
    'Analytics: organization-update / organizations-analytics',
    'Leads: organization-update / organizations-analytics',
    'Organization: organizations-analytics / organization-update',
  ]);
});

test('each policy has one constant, and the short names are aliases', () => {
  expect(Object.values(policies).toSorted()).toEqual([
    'organization-content-create',
    'organization-update',
    'organizations-analytics',
    'organizations-users-list',
    'playlist-create',
    'playlist-list',
    'playlist-update',
  ]);
  expect(policyAliases).toEqual({ analytics: policies.analytics, 'users-list': policies.usersList });
});

test('consent-only people appear as USER', () => {
  expect(roleLabels.user).toBe('USER');
});

test('every organisation route has the policy of the table', () => {
  const { routesByPath } = createAppRouter(createQueryClient(), createMemoryHistory());
  const carried = Object.entries(routesByPath).flatMap(([path, { options }]) => {
    const inside = path.match(/^\/org\/\$orgId(\/.+)$/)?.[1];
    return inside === undefined ? [] : [[inside, options.staticData?.policy]];
  });
  expect(Object.fromEntries(carried)).toEqual(routePolicies);
});

describe('addresses the service worker leaves alone', () => {
  const never = (path: string) => neverPagePatterns.some((pattern) => pattern.test(path));
  test.each([
    '/v1',
    '/v1/config',
    '/v1?x=1',
    '/app',
    '/app/',
    '/app/join/x',
    '/app?code=1',
    '/media/grant/file.mp4',
    '/images/a.webp?w=80',
    '/sandbox',
    '/sandbox/mail',
    '/.well-known/jwks.json',
    '/openapi.json',
    '/openapi.json?download=1',
    '/pricing',
    '/healthz',
    '/readyz',
  ])('%s is not one of its pages', (path) => expect(never(path)).toBe(true));
  test.each([
    '/',
    '/login',
    '/org/v1/home',
    '/applications',
    '/media-kit',
    '/user-profile',
    '/authenticate?action=login&next=/v1/x',
    '/xwell-known/',
    '/openapixjson',
  ])('%s is a page', (path) => expect(never(path)).toBe(false));
});
