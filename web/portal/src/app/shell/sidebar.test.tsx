/** The sidebar: person, organisation, menu and theme. */
import { screen, waitFor, within } from '@testing-library/react';
import type { ProfileOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, membership, ORG, profile, server } from '~/shared/testing/server.ts';

const OTHER = '019a0000-0000-7000-8000-000000000002';

const called = (fields: Partial<ProfileOut>) =>
  server.use(http.get('*/v1/profiles', () => HttpResponse.json({ ...profile, ...fields })));

/** The button with person and organisation, once both are loaded. */
const head = async (name: RegExp) => screen.findByRole('button', { name });
const button = () => screen.getByRole('button', { name: /choose organization/ });
const lines = () => [...button().querySelectorAll('span span')].map((line) => line.textContent);

describe('person and organisation', () => {
  test('eighteen characters stay whole, the nineteenth is cut with three dots', async () => {
    called({ displayName: 'a'.repeat(18) });
    server.use(belongsTo(membership('manager', ORG, 'o'.repeat(19))));
    renderAt('/user-profile');
    await head(/choose organization/);
    await waitFor(() => expect(lines()).toEqual(['a'.repeat(18), `${'o'.repeat(18)}...`]));
  });

  test('a cut never splits a character', async () => {
    called({ displayName: '🎬'.repeat(19) });
    renderAt('/user-profile');
    await head(/choose organization/);
    await waitFor(() => expect(lines()[0]).toBe(`${'🎬'.repeat(18)}...`));
  });

  test('the email replaces a missing name, cut the same way', async () => {
    called({ displayName: '', email: 'augusta.byron@example.com' });
    renderAt('/user-profile');
    await head(/choose organization/);
    await waitFor(() => expect(lines()[0]).toBe('augusta.byron@exam...'));
  });

  test('an organisation without a name shows N/A', async () => {
    server.use(belongsTo(membership('manager', ORG, ' ')));
    renderAt('/user-profile');
    await head(/choose organization/);
    await waitFor(() => expect(lines()).toEqual(['Ada Byron', 'N/A']));
  });

  test('the photo is shown where there is one', async () => {
    called({ photoURL: 'http://127.0.0.1:8080/images/me.webp' });
    renderAt('/user-profile');
    await head(/choose organization/);
    await waitFor(() => expect(button().querySelector('img')?.src).toBe('http://127.0.0.1:8080/images/me.webp'));
  });
});

describe('the organisation menu', () => {
  const withLogo = () => {
    const other = membership('teamUser', OTHER, 'The Honourable Company of Film Makers');
    other.organisation.logoUrl = 'http://127.0.0.1:8080/images/logo.webp';
    server.use(belongsTo(membership('superAdmin'), other, membership('user', 'elsewhere', 'A viewer only')));
  };

  test('lists logo and name of each, with a default image, and opens its home in a new tab', async () => {
    withLogo();
    const { user } = renderAt('/user-profile');
    await user.click(await head(/^Ada Byron, Northwind/));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual(['Northwind', 'The Honourable Company of Film Makers']);
    expect(items.map((item) => item.querySelector('img')?.getAttribute('src'))).toEqual([
      '/org-default.svg',
      'http://127.0.0.1:8080/images/logo.webp',
    ]);
    expect(items.map((item) => [item.getAttribute('href'), item.getAttribute('target')])).toEqual([
      [`/org/${ORG}/home`, '_blank'],
      [`/org/${OTHER}/home`, '_blank'],
    ]);
    expect(within(items[0] as HTMLElement).getByLabelText('Selected')).toBeVisible();
  });

  test('shows the description of each, cut after seventy characters', async () => {
    const described = (uid: string, name: string, description: string) => {
      const one = membership('manager', uid, name);
      return { ...one, organisation: { ...one.organisation, description } };
    };
    server.use(
      belongsTo(
        described(ORG, 'Northwind', 'd'.repeat(70)),
        described(OTHER, 'Southwind', `${'d'.repeat(69)}🎬e`),
        described('third', 'Westwind', ' '),
      ),
    );
    const { user } = renderAt('/user-profile');
    await user.click(await head(/^Ada Byron, Northwind/));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map((item) => item.textContent)).toEqual([
      `Northwind${'d'.repeat(70)}`,
      `Southwind${'d'.repeat(69)}🎬...`,
      'Westwind',
    ]);
  });

  test('choosing one does not change this tab', async () => {
    withLogo();
    sessionStorage.setItem('selectedOrganizationId', ORG);
    const { user, path } = renderAt('/user-profile');
    await user.click(await head(/^Ada Byron, Northwind/));
    await user.click(await screen.findByRole('menuitem', { name: /Film Makers/ }));
    expect(sessionStorage.getItem('selectedOrganizationId')).toBe(ORG);
    expect(path()).toBe('/user-profile');
    expect(await head(/^Ada Byron, Northwind/)).toBeVisible();
  });
});

test('collapsed, the sidebar shows labeled icons only, and stays collapsed', async () => {
  const { user, unmount } = renderAt('/user-profile');
  const menu = await screen.findByRole('navigation', { name: 'Main' });
  expect(within(menu).getByText('Home')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Collapse sidebar' }));
  expect(menu.textContent).toBe('');
  expect(await screen.findByRole('link', { name: 'Billing' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Logout' }).textContent).toBe('');
  unmount();
  renderAt('/user-profile');
  await user.click(await screen.findByRole('button', { name: 'Expand sidebar' }));
  expect(screen.getByRole('navigation', { name: 'Main' }).textContent).toMatch(/^HomeContent/);
});

test('the menu is reached behind the skip link, in its order, and the current item says so', async () => {
  const { user } = renderAt('/user-profile');
  const menu = await screen.findByRole('navigation', { name: 'Main' });
  await user.tab();
  expect(screen.getByRole('link', { name: 'Skip navigation' })).toHaveFocus();
  expect(
    within(menu)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Home', 'Content', 'Users', 'Analytics', 'Leads', 'Profile', 'Organization', 'Billing', 'Settings']);
  const current = within(menu)
    .getAllByRole('link')
    .filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.textContent)).toEqual(['Profile']);
});

test('the theme is chosen in the sidebar and remembered', async () => {
  const { user } = renderAt('/user-profile');
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  await screen.findByRole('navigation', { name: 'Main' });
  expect(scheme()).toBe('light');
  await user.click(screen.getByRole('button', { name: 'Theme' }));
  const choices = await screen.findAllByRole('menuitem');
  expect(choices.map((choice) => choice.textContent)).toEqual(['Light', 'Dark', 'System']);
  await user.click(screen.getByRole('menuitem', { name: 'Dark' }));
  expect(scheme()).toBe('dark');
  expect(localStorage.getItem('mantine-color-scheme-value')).toBe('dark');
});

test.each([
  [`/org/${ORG}/users`, 'Users'],
  [`/org/${ORG}/profile`, 'Organization'],
  ['/user-profile', 'Profile'],
  [`/org/${ORG}/nowhere`, 'Vitrine'],
])('on small screens, the bar above %s says %s', async (path, label) => {
  renderAt(path);
  const opener = await screen.findByRole('button', { name: 'Open menu' });
  await waitFor(() => expect(opener.parentElement).toHaveTextContent(new RegExp(`^${label}$`)));
});
