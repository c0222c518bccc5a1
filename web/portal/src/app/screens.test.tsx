/** Guards and shell, through the real router. */
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, membership, ORG, problem, server } from '~/shared/testing/server.ts';

const dashboard = http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
  Response.json({
    totalStats: { views: 1, watchTimeMs: 65_000 },
    popularContent: [
      {
        id: 'c',
        title: 'Studio tour',
        previewUrl: '',
        kind: 'video',
        durationMs: null,
        waveformUrl: '',
        views: 1,
      },
    ],
    playlists: [],
    content: [],
  }),
);

describe('guards', () => {
  test('an anonymous visitor is sent to sign-in, and the address is remembered with its query', async () => {
    const { path } = renderAt(`/org/${ORG}/playlists?search=talks`, { anonymous: true });
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(path()).toBe('/login');
    expect(localStorage.getItem('redirectUrl')).toBe(`/org/${ORG}/playlists?search=talks`);
  });

  test('an unknown address sends an anonymous visitor to sign-in too', async () => {
    const { path } = renderAt('/no-such-page', { anonymous: true });
    await screen.findByRole('button', { name: 'Sign in' });
    expect([path(), localStorage.getItem('redirectUrl')]).toEqual(['/login', '/no-such-page']);
  });

  test('a signed-in person is sent from /login to the home of the first organisation', async () => {
    server.use(dashboard);
    const { path } = renderAt('/login');
    expect(await screen.findByRole('heading', { name: 'Welcome, Ada!' })).toBeVisible();
    expect(path()).toBe(`/org/${ORG}/home`);
  });

  test('a person without a staff role has no dashboard', async () => {
    server.use(belongsTo(membership('user')));
    const { path } = renderAt('/');
    expect(await screen.findByRole('heading', { name: 'No active plan detected' })).toBeVisible();
    expect(path()).toBe('/no-plan');
  });

  test('an unknown address shows the 404 page inside the shell', async () => {
    renderAt('/no-such-page');
    expect(await screen.findByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible();
  });

  test('an organisation of others shows the 404 page and stays unselected', async () => {
    renderAt('/org/019a0000-0000-7000-8000-00000000dead/home');
    expect(await screen.findByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
    expect(sessionStorage.getItem('selectedOrganizationId')).toBeNull();
  });

  test('a team user who opens Users by its address sees the 404 page', async () => {
    server.use(belongsTo(membership('teamUser')));
    renderAt(`/org/${ORG}/users`);
    expect(await screen.findByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
  });

  test('a team user sees Organization in the menu, and the 404 page behind it', async () => {
    server.use(belongsTo(membership('teamUser')), dashboard);
    const { user } = renderAt(`/org/${ORG}/home`);
    const menu = await screen.findByRole('navigation', { name: 'Main' });
    expect(
      within(menu)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Home', 'Content', 'Profile', 'Organization', 'Billing', 'Settings']);
    await user.click(within(menu).getByRole('link', { name: 'Organization' }));
    expect(await screen.findByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
  });

  test('memberships that fail to load show a reload screen and one toast', async () => {
    server.use(http.get('*/v1/profiles/roles/detailed', () => problem(403, 'No')));
    renderAt('/');
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
    expect(await screen.findByText('Error bootstrapping app')).toBeVisible();
  });
});

describe('home', () => {
  test('shows lifetime views and whole minutes', async () => {
    server.use(dashboard);
    renderAt(`/org/${ORG}/home`);
    expect(await screen.findByText('1 min')).toBeVisible();
    expect(screen.getByText('Studio tour')).toBeVisible();
    expect(screen.getByText('Video · 1 view')).toBeVisible();
  });

  test('shows N/A when the figures cannot be loaded', async () => {
    server.use(http.get(`*/v1/organizations/${ORG}/dashboard`, () => problem(403, 'No')));
    renderAt(`/org/${ORG}/home`);
    expect(await screen.findAllByText('N/A')).toHaveLength(2);
    expect(screen.getByText('There was an error loading this content.')).toBeVisible();
  });
});

test('logging out clears the session and returns to sign-in', async () => {
  server.use(
    dashboard,
    http.post('*/v1/auth/sign-out', () => new Response(null, { status: 204 })),
  );
  const { user, path } = renderAt(`/org/${ORG}/home`);
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await screen.findByRole('button', { name: 'Sign in' });
  expect(path()).toBe('/login');
  expect(localStorage.getItem('vitrine.session')).toBeNull();
});

test('settings show the version and the configured links', async () => {
  renderAt('/settings');
  expect(await screen.findByText('Version 2.2.4')).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole('link', { name: 'Privacy notice' })).toHaveAttribute(
      'href',
      'http://127.0.0.1:8080/privacy',
    ),
  );
});
