/** Start of the shell: memberships late, refused, missing or unreachable; and screens that crash. */
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, membership, ORG, problem, server } from '~/shared/testing/server.ts';

const OTHER = '019a0000-0000-7000-8000-000000000002';
const MEMBERSHIPS = '*/v1/profiles/roles/detailed';

afterEach(() => vi.restoreAllMocks());

/** Answers in turn, repeating the last answer; records the times of the calls. */
function answering(...answers: (() => Response)[]) {
  const times: number[] = [];
  server.use(
    http.get(MEMBERSHIPS, () => {
      times.push(performance.now());
      return (answers[times.length - 1] ?? answers.at(-1))?.();
    }),
  );
  return times;
}

const notYet = () => problem(404, 'Profile not found');
const staff = () => HttpResponse.json({ data: [membership('superAdmin')] });
const dashboard = (organisation: string, views: number) =>
  http.get(`*/v1/organizations/${organisation}/dashboard`, () =>
    HttpResponse.json({ totalStats: { views, watchTimeMs: 0 }, popularContent: [], playlists: [], content: [] }),
  );

describe('memberships that are not ready', () => {
  test('are retried with delays doubling from 100 ms', async () => {
    const times = answering(notYet, notYet, notYet, staff);
    renderAt('/user-profile');
    expect(screen.queryByText('Error bootstrapping app')).toBeNull();
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible();
    expect(times).toHaveLength(4);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    // A timer may be late, never early.
    for (const [index, least] of [100, 200, 400].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(least - 2);
  });

  test('the schedule is 100 ms, doubled each time', () => {
    const { retryDelay } = membershipsQuery;
    if (typeof retryDelay !== 'function') throw new Error('the delay is no function');
    const error = new Error('not yet');
    expect([0, 1, 2, 3, 4, 5].map((failures) => retryDelay(failures, error))).toEqual([100, 200, 400, 800, 1600, 3200]);
  });

  test('retries stop once the shell is unmounted', async () => {
    const times = answering(notYet);
    const { unmount, router } = renderAt('/user-profile');
    await waitFor(() => expect(times.length).toBeGreaterThan(1));
    unmount();
    const query = router.options.context.queryClient.getQueryCache().find({ queryKey: ['memberships'] });
    await waitFor(() => expect(query?.state.fetchStatus).toBe('idle'));
  });
});

describe('memberships that fail', () => {
  test.each([
    ['a refusal', () => problem(403, 'No')],
    ['a fault of the server', () => problem(500, 'Boom')],
    ['a dead line', () => HttpResponse.error()],
  ])('%s is shown once, with Reload, and not retried', async (_what, answer) => {
    const times = answering(answer);
    renderAt('/user-profile');
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Error!' })).toBeVisible();
    expect(await screen.findAllByText('Error bootstrapping app')).toHaveLength(1);
    expect(times).toHaveLength(1);
  });

  test('a failed refetch leaves the shell as it is', async () => {
    answering(staff, () => problem(500, 'Boom'));
    const { router } = renderAt('/user-profile');
    await screen.findByRole('navigation', { name: 'Main' });
    await router.options.context.queryClient.refetchQueries({ queryKey: ['memberships'] });
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible();
    expect(screen.queryByText('Error bootstrapping app')).toBeNull();
  });
});

describe('offline', () => {
  test('the shell shows it, retries on request, and starts when the server answers', async () => {
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const times = answering(() => HttpResponse.error(), staff);
    let reachable = false;
    server.use(
      http.get('*/v1/config', () =>
        reachable
          ? HttpResponse.json({ termsUrl: '', privacyUrl: '', contactUrl: '', helpUrl: '' })
          : HttpResponse.error(),
      ),
    );
    const { user } = renderAt('/user-profile');
    expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible();
    expect(screen.queryByText('Error bootstrapping app')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Still no connection.')).toBeVisible();
    expect(times).toHaveLength(1);
    reachable = true;
    line.mockReturnValue(true);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible();
    expect(times).toHaveLength(2);
  });

  test('it starts automatically when the browser is back online', async () => {
    const line = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    answering(() => HttpResponse.error(), staff);
    renderAt('/user-profile');
    await screen.findByRole('heading', { name: 'You are offline' });
    line.mockReturnValue(true);
    window.dispatchEvent(new Event('online'));
    expect(await screen.findByRole('navigation', { name: 'Main' })).toBeVisible();
  });
});

describe('no dashboard', () => {
  test.each([
    ['a person without a membership', []],
    ['a person who is only a viewer', [membership('user')]],
  ])('%s goes to /no-plan, from any address of the shell', async (_who, memberships) => {
    server.use(belongsTo(...memberships));
    const { path } = renderAt('/no-such-page');
    expect(await screen.findByRole('heading', { name: 'No active plan detected' })).toBeVisible();
    expect(path()).toBe('/no-plan');
    expect(screen.getByRole('link', { name: 'View Plans' })).toHaveAttribute('href', 'http://127.0.0.1:8080/pricing');
    expect(screen.getByRole('button', { name: 'Logout' })).toBeVisible();
  });

  test('returning to the tab after a purchase opens the home', async () => {
    server.use(dashboard(ORG, 1));
    answering(() => HttpResponse.json({ data: [] }), staff);
    const { path } = renderAt('/no-plan');
    await screen.findByRole('heading', { name: 'No active plan detected' });
    window.dispatchEvent(new Event('visibilitychange'));
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    expect(path()).toBe(`/org/${ORG}/home`);
  });

  test('a person with access who opens /no-plan is sent to the home', async () => {
    server.use(dashboard(ORG, 1));
    const { path } = renderAt('/no-plan');
    await screen.findByRole('heading', { name: 'Welcome, Ada!' });
    expect(path()).toBe(`/org/${ORG}/home`);
  });

  test('/no-plan does not claim there is no plan when the memberships fail to load', async () => {
    server.use(http.get(MEMBERSHIPS, () => problem(403, 'Not now')));
    renderAt('/no-plan');
    expect(await screen.findByText('Not now')).toBeVisible();
    expect(screen.queryByText('No active plan detected')).toBeNull();
  });
});

describe('organisations', () => {
  test('another one is selected by its URL, and nothing of the first is kept', async () => {
    server.use(
      belongsTo(membership('superAdmin'), membership('teamUser', OTHER, 'Southwind')),
      dashboard(ORG, 1111),
      dashboard(OTHER, 2222),
    );
    const { router } = renderAt(`/org/${ORG}/home`);
    expect(await screen.findByText('1,111')).toBeVisible();
    const cached = () =>
      router.options.context.queryClient
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey)
        .filter(([area]) => area === 'org')
        .map(([, organisation]) => organisation);
    expect(cached()).toContain(ORG);
    await router.navigate({ to: '/org/$orgId/home', params: { orgId: OTHER } });
    expect(await screen.findByText('2,222')).toBeVisible();
    expect(await screen.findByRole('button', { name: /^Ada Byron, Southwind/ })).toBeVisible();
    expect(new Set(cached())).toEqual(new Set([OTHER]));
    expect(sessionStorage.getItem('selectedOrganizationId')).toBe(OTHER);
  });

  test('one in which the person is only an app user shows the 404 page, and the selection stays', async () => {
    server.use(belongsTo(membership('superAdmin'), membership('user', OTHER, 'Southwind')));
    sessionStorage.setItem('selectedOrganizationId', ORG);
    const { path } = renderAt(`/org/${OTHER}/home`);
    expect(await screen.findByRole('heading', { name: 'Oops! Page Not Found' })).toBeVisible();
    expect(path()).toBe(`/org/${OTHER}/home`);
    expect(sessionStorage.getItem('selectedOrganizationId')).toBe(ORG);
  });

  test('the root opens the selected one, or the first if that is gone', async () => {
    server.use(
      belongsTo(membership('superAdmin'), membership('teamUser', OTHER, 'Southwind')),
      dashboard(ORG, 1),
      dashboard(OTHER, 2),
    );
    sessionStorage.setItem('selectedOrganizationId', OTHER);
    const first = renderAt('/');
    await waitFor(() => expect(first.path()).toBe(`/org/${OTHER}/home`));
    first.unmount();
    sessionStorage.setItem('selectedOrganizationId', 'gone');
    const second = renderAt('/');
    await waitFor(() => expect(second.path()).toBe(`/org/${ORG}/home`));
  });
});

test('a screen that crashes shows the crash screen, and the menu still works', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  server.use(
    http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
      HttpResponse.json({ totalStats: { views: 1, watchTimeMs: 1 }, popularContent: 'not a list' }),
    ),
  );
  const { user } = renderAt(`/org/${ORG}/home`);
  expect(await screen.findByRole('heading', { name: 'Error!' })).toBeVisible();
  expect(screen.getByText('Oops! We encountered an error.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
  expect(document.title).toBe('Error! · Vitrine');
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  expect(await screen.findByRole('heading', { name: 'Profile' })).toBeVisible();
});

test('the focus goes to the heading of the next screen, and stays where it is while only the query changes', async () => {
  const { user, router } = renderAt('/no-such-page');
  const heading = await screen.findByRole('heading', { name: 'Oops! Page Not Found' });
  expect(heading).not.toHaveFocus();
  await user.click(screen.getByRole('link', { name: 'Profile' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Profile' })).toHaveFocus());
  const company = await screen.findByLabelText('Company');
  await user.click(company);
  await router.navigate({ to: '.', search: { x: 1 } as never });
  expect(company).toHaveFocus();
});

test('the focus waits for a screen whose frame is still loading', async () => {
  const { router } = renderAt('/no-plan', { anonymous: true });
  await screen.findByRole('button', { name: 'Sign in' });
  let answer: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get(MEMBERSHIPS, async () => {
      await waiting;
      return staff();
    }),
  );
  const { session } = await import('~/shared/api/session.ts');
  session.save('token');
  await router.navigate({ to: '/user-profile' });
  expect(await screen.findByRole('status', { name: 'Loading' })).toBeInTheDocument();
  answer();
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Profile' })).toHaveFocus());
});
