/** Every guarded route, through the real router. */
import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, test } from 'vitest';
import { answers } from '~/shared/testing/answers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, membership, ORG, server, sessionOf } from '~/shared/testing/server.ts';

const dashboard = http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
  Response.json({ totalStats: { views: 1, watchTimeMs: 0 }, popularContent: [], playlists: [], content: [] }),
);

const privatePages = [
  '/',
  '/no-plan',
  '/invite?code=a%2Fb',
  '/billing/success?provision_id=p1',
  '/billing/cancelled',
  '/billing/account-1',
  '/account-type',
  '/select-billing-account?planId=essentials-monthly',
  '/create-billing-account?type=business',
  '/on-boarding/details/user',
  '/on-boarding/details/company',
  '/verify-email?code=abc',
  '/user-profile',
  '/billing',
  '/settings',
  '/settings#help',
  `/org/${ORG}/home`,
  `/org/${ORG}/users`,
  `/org/${ORG}/playlists?search=talks&sort=title`,
  `/org/${ORG}/playlists/p1?content=c1#top`,
  `/org/${ORG}/analytics?range=28d`,
  `/org/${ORG}/profile`,
  `/org/${ORG}/leads`,
  '/no-such-page?x=1#y',
];

describe('private routes', () => {
  test.each(privatePages)('%s redirects an anonymous visitor to sign-in and is remembered', async (url) => {
    const { path } = renderAt(url, { anonymous: true });
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(path()).toBe('/login');
    expect(localStorage.getItem('redirectUrl')).toBe(url);
  });

  test('the remembered address is reached with query and hash', async () => {
    const url = `/settings?from=${encodeURIComponent('//evil.example/ ü')}#help`;
    answers('*/v1/auth/magic-links/redeem', () => Response.json(sessionOf('ada')));
    const first = renderAt(url, { anonymous: true });
    await screen.findByRole('button', { name: 'Sign in' });
    first.unmount();
    localStorage.setItem('emailForSignIn', 'ada@example.com');
    const { path } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
    expect(await screen.findByText('Version 2.2.4')).toBeVisible();
    const reached = new URL(path(), window.location.origin);
    expect([reached.pathname, reached.hash]).toEqual(['/settings', '#help']);
    expect(reached.searchParams.get('from')).toBe('//evil.example/ ü');
  });

  test('an unsafe address in local storage is not followed', async () => {
    answers('*/v1/auth/magic-links/redeem', () => Response.json(sessionOf('ada')));
    server.use(dashboard);
    localStorage.setItem('emailForSignIn', 'ada@example.com');
    localStorage.setItem('redirectUrl', '/%2F/evil.example');
    const { path } = renderAt('/authenticate?action=login&code=abc', { anonymous: true });
    expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
    expect(path()).toBe(`/org/${ORG}/home`);
  });
});

describe('public routes', () => {
  test.each(['/login', '/sign-up', '/forgot-password', '/authenticate', '/authenticate?action=login'])(
    '%s redirects a signed-in person to the root',
    async (url) => {
      server.use(dashboard);
      const { path } = renderAt(url);
      expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
      expect(path()).toBe(`/org/${ORG}/home`);
    },
  );

  test.each([
    ['/login', 'Sign in'],
    ['/sign-up', 'Sign up'],
    ['/forgot-password', 'Forgot your password?'],
    ['/authenticate?action=login&code=abc', 'Confirm your email'],
    ['/reset-password?code=abc', 'Choose a new password'],
  ])('%s is open to an anonymous visitor, and nothing is remembered', async (url, heading) => {
    renderAt(url, { anonymous: true });
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
    expect(localStorage.getItem('redirectUrl')).toBeNull();
  });

  test.each([
    ['/authenticate?action=login&code=abc', 'Confirm your email'],
    ['/reset-password?code=abc', 'Choose a new password'],
  ])('%s stays open to a signed-in person while it is completed', async (url, heading) => {
    const { path } = renderAt(url);
    expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
    expect(path()).toBe(url);
  });
});

describe('routes behind a policy', () => {
  test.each([
    ['manager', '/users'],
    ['teamUser', '/profile'],
  ] as const)('a %s who opens %s sees the 404 page at the same address', async (role, page) => {
    server.use(belongsTo(membership(role)));
    const { path } = renderAt(`/org/${ORG}${page}`);
    expect(await screen.findByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
    expect(path()).toBe(`/org/${ORG}${page}`);
  });

  test('a team user can open leads by URL, though the menu does not show it', async () => {
    server.use(
      belongsTo(membership('teamUser')),
      http.get('*/v1/analytics/leads', () =>
        Response.json({ data: [], counts: { total: 0, hot: 0, warm: 0, cold: 0 } }),
      ),
    );
    renderAt(`/org/${ORG}/leads`);
    expect(await screen.findByRole('heading', { name: 'Northwind Leads' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Leads' })).toBeNull();
  });
});

describe('your own profile', () => {
  const profiles = (status: (call: number) => number) => {
    const times: number[] = [];
    server.use(
      http.get('*/v1/profiles', () => {
        times.push(performance.now());
        const code = status(times.length);
        return code === 200
          ? Response.json({ ...sessionOf('ada').profile, displayName: 'Ada Byron' })
          : Response.json({ status: code, code: 'test', message: 'Not yet' }, { status: code });
      }),
    );
    return times;
  };

  test('is retried with growing delays while the server answers 404', async () => {
    const times = profiles((call) => (call <= 3 ? 404 : 200));
    server.use(dashboard);
    renderAt(`/org/${ORG}/home`);
    expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
    expect(times).toHaveLength(4);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, least] of [95, 195, 395].entries()) expect(waits[index]).toBeGreaterThanOrEqual(least);
  });

  test.each([403, 400])('is not retried after a %i', async (status) => {
    const times = profiles(() => status);
    renderAt('/on-boarding/details/user');
    expect(await screen.findByText('Not yet')).toBeVisible();
    expect(times).toHaveLength(1);
  });

  test('is not retried once unmounted', async () => {
    const times = profiles(() => 404);
    const { unmount, router } = renderAt('/on-boarding/details/user');
    const query = () => router.options.context.queryClient.getQueryCache().find({ queryKey: ['profile'] });
    await waitFor(() => expect(times.length).toBeGreaterThanOrEqual(2));
    expect(query()?.state.fetchStatus).toBe('fetching');
    unmount();
    await waitFor(() => expect(query()?.state.fetchStatus).toBe('idle'));
  });
});
