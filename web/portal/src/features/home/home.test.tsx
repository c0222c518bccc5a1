/** Home below its totals: the last 28 days, what needs attention, hot leads and activity. */
import { screen, waitFor, within } from '@testing-library/react';
import type { DashboardOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { activity, lead, noDashboard, noLeads, noPeople, overview } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, problem, profile, server } from '~/shared/testing/server.ts';

const HOME = `/org/${ORG}/home`;
const region = async (name: string) => within(await screen.findByRole('region', { name }));

const tour = {
  id: 'tour',
  title: 'Studio tour',
  previewUrl: '',
  kind: 'embed',
  durationMs: 200_000,
  waveformUrl: '',
  views: 1,
} satisfies DashboardOut['popularContent'][number];

beforeEach(() => {
  server.use(
    http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
      HttpResponse.json({
        totalStats: { views: 1, watchTimeMs: 65_000 },
        popularContent: [tour, { ...tour, id: 'terms', title: 'Terms', kind: 'pdf', durationMs: null }],
        playlists: [],
        content: [],
      }),
    ),
  );
});

describe('the welcome', () => {
  test('waits for the name', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.get('*/v1/profiles', async () => {
        await held;
        return HttpResponse.json(profile);
      }),
    );
    renderAt(HOME);
    expect(await screen.findByRole('link', { name: 'Studio tour' })).toBeVisible();
    const title = screen.getByRole('heading', { level: 1 });
    expect(title).toHaveTextContent(/^Welcome!$/);
    expect(title.querySelector('[data-visible]')).not.toBeNull();
    expect(document.title).toBe('Welcome! · Vitrine');
    release();
    await waitFor(() => expect(title).toHaveTextContent(/^Welcome, Ada!$/));
    expect(title.querySelector('[data-visible]')).toBeNull();
  });

  test('has no name if the profile cannot be loaded', async () => {
    server.use(http.get('*/v1/profiles', () => problem(403, 'No')));
    renderAt(HOME);
    const title = await screen.findByRole('heading', { name: 'Welcome!' });
    await waitFor(() => expect(title.querySelector('[data-visible]')).toBeNull());
  });
});

test('popular content shows its kind, its length and the cover of its kind', async () => {
  renderAt(HOME);
  const cards = within(await screen.findByRole('region', { name: 'Most popular content' })).getAllByRole('listitem');
  expect(screen.getByText('Views of the last 28 days')).toBeVisible();
  // The drawn cover of an embedded video has letters.
  await waitFor(() =>
    expect(cards.map(({ textContent }) => textContent)).toEqual([
      'ST3:20Studio tourEmbedded video · 1 view',
      'TermsPDF · 1 view',
    ]),
  );
});

test('content that was watched long ago is not popular, and the first steps do not return', async () => {
  server.use(
    http.get(`*/v1/organizations/${ORG}/dashboard`, () =>
      HttpResponse.json({ ...noDashboard, totalStats: { views: 5_000, watchTimeMs: 65_000 } }),
    ),
  );
  renderAt(HOME);
  expect(await screen.findByText('Nothing popular in the last 28 days')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Go to content' })).toBeVisible();
  expect(screen.queryByText('Nothing has been watched yet')).toBeNull();
  expect(screen.queryByText(/First steps/)).toBeNull();
});

test('popular content leads to its numbers', async () => {
  renderAt(HOME);
  expect(await screen.findByRole('link', { name: 'Studio tour' })).toHaveAttribute(
    'href',
    `/org/${ORG}/analytics/content/tour`,
  );
});

describe('the last 28 days', () => {
  test('are compared with the 28 before, in words', async () => {
    const asked: URLSearchParams[] = [];
    server.use(
      http.get('*/v1/analytics/overview', ({ request }) => {
        asked.push(new URL(request.url).searchParams);
        return HttpResponse.json(overview);
      }),
      http.get('*/v1/organizations/:id/users/summary', () =>
        HttpResponse.json({ ...noPeople, newPeople: 6, previous: 6 }),
      ),
      http.get('*/v1/analytics/leads/summary', () => HttpResponse.json({ ...noLeads, newLeads: 2 })),
    );
    renderAt(HOME);
    const days = await region('Last 28 days');
    expect(await days.findByText('33% more than in the 28 days before')).toBeVisible();
    expect(days.getByText('50% less than in the 28 days before')).toBeVisible();
    expect(await days.findByText('The same as in the 28 days before')).toBeVisible();
    expect(await days.findByText('None in the 28 days before')).toBeVisible();
    expect(days.getByText('13 min')).toBeVisible();
    expect(days.getByText('Days follow the time zone UTC')).toBeVisible();
    const [range] = asked;
    const length = Date.parse(range?.get('endTime') ?? '') - Date.parse(range?.get('startTime') ?? '');
    expect(Math.ceil(length / 86_400_000)).toBe(28);
  });

  test('are not compared with days that the plan does not show', async () => {
    const cut = { ...overview, previousLimitedFrom: '2026-10-10T00:00:00.000Z' };
    server.use(http.get('*/v1/analytics/overview', () => HttpResponse.json(cut)));
    renderAt(HOME);
    const days = await region('Last 28 days');
    expect(await days.findAllByText('Your plan does not show all of the 28 days before')).toHaveLength(2);
    expect(days.queryByText(/(more|less) than in the 28 days before/)).toBeNull();
  });

  test('show N/A where they fail to load, and the rest stays', async () => {
    server.use(http.get('*/v1/analytics/overview', () => problem(403, 'No')));
    renderAt(HOME);
    const days = await region('Last 28 days');
    expect(await days.findAllByText('There was an error loading this content.')).toHaveLength(2);
    expect(days.getAllByText('N/A')).toHaveLength(2);
    await waitFor(() => expect(days.getAllByText('The same as in the 28 days before')).toHaveLength(2));
  });
});

test('a team user sees neither new people nor invitations, and nothing of that is asked for', async () => {
  const asked: string[] = [];
  server.use(
    belongsTo(membership('teamUser')),
    http.get('*/v1/organizations/:id/users/summary', () => {
      asked.push('people');
      return problem(403, 'No');
    }),
    http.get('*/v1/organizations/:id/invites', () => {
      asked.push('invites');
      return problem(403, 'No');
    }),
  );
  renderAt(HOME);
  expect(await (await region('Needs attention')).findByText('Nothing needs your attention.')).toBeVisible();
  expect(screen.queryByText('New people')).toBeNull();
  expect(screen.getByText('New leads')).toBeVisible();
  expect(asked).toEqual([]);
});

test('failed processing, full storage and open invitations are named, each with a link', async () => {
  const invite = {
    uid: 'i',
    userEmail: 'bea@example.com',
    role: 'manager',
    status: 'pending',
    timeSent: '',
    timeExpires: '',
  };
  const full = { storage: { used: 95, allowed: 100 }, staff: { used: 1 }, appUsers: { used: 1 } };
  server.use(
    http.get('*/v1/content', ({ request }) =>
      list(
        new URL(request.url).searchParams.get('processing') === 'failed'
          ? [{ uid: 'a', title: 'Trade fair', processing: 'failed' }]
          : [],
      ),
    ),
    http.get('*/v1/accounts', () => list([{ uid: 'account' }])),
    http.get('*/v1/accounts/account/usage', () =>
      list([
        { orgId: 'other', ...full },
        { orgId: ORG, ...full },
      ]),
    ),
    http.get('*/v1/organizations/:id/invites', ({ request }) =>
      list(new URL(request.url).searchParams.get('viewers') === 'true' ? [] : [invite]),
    ),
  );
  renderAt(HOME);
  const attention = await region('Needs attention');
  const links = await attention.findAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Processing failed for 1 item', `/org/${ORG}/playlists?tab=all`],
    ['95% of the storage is used', '/billing'],
    ['1 invitation is not answered', `/org/${ORG}/users`],
  ]);
  expect(attention.getByText('Trade fair')).toBeVisible();
});

test('hot leads open their details, and activity leads to the item', async () => {
  server.use(
    http.get('*/v1/analytics/leads/summary', () =>
      HttpResponse.json({ ...noLeads, hot: [{ ...lead('victor'), displayName: 'Victor Fan' }] }),
    ),
    http.get('*/v1/analytics/activity', () => HttpResponse.json(activity)),
  );
  renderAt(HOME);
  const hot = await region('Hot leads');
  expect(await hot.findByRole('link', { name: 'Victor Fan' })).toHaveAttribute('href', `/org/${ORG}/leads?lead=victor`);
  expect(hot.getByText('Hot 62')).toBeVisible();
  const recent = await region('Recent activity');
  expect(recent.getByRole('link', { name: 'Victor Fan watched Studio tour' })).toHaveAttribute(
    'href',
    `/org/${ORG}/analytics/content/tour`,
  );
  expect(recent.getByText(/opened the app/)).toBeVisible();
});

test('activity names what was deleted, and not what it was in', async () => {
  const entry = { userId: 'victor', displayName: 'Victor Fan', time: '2026-11-20T10:00:00.000Z' };
  const inPlaylist = { playlistId: 'basics', playlistTitle: 'Safety basics' };
  const data = [
    { ...entry, type: 'view', contentId: 'gone', contentTitle: null, ...inPlaylist },
    { ...entry, type: 'contact', contentId: null, contentTitle: null, playlistId: 'gone', playlistTitle: null },
    { ...entry, type: 'contact', contentId: null, contentTitle: null, ...inPlaylist },
  ];
  server.use(http.get('*/v1/analytics/activity', () => HttpResponse.json({ data })));
  renderAt(HOME);
  const recent = await region('Recent activity');
  expect(await recent.findByText(/watched deleted content/)).toBeVisible();
  expect(recent.getByText(/opened the contact details of a deleted playlist/)).toBeVisible();
  const links = recent.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Victor Fan opened the contact details of Safety basics', `/org/${ORG}/analytics/playlists/basics`],
  ]);
});

test('more failed items than one page has are not said to be all', async () => {
  server.use(
    http.get('*/v1/content', () => list(Array.from({ length: 100 }, (_, n) => ({ uid: `c${n}`, title: `Item ${n}` })))),
  );
  renderAt(HOME);
  const attention = await region('Needs attention');
  expect(await attention.findByRole('link', { name: 'Processing failed for 100+ items' })).toBeVisible();
  expect(attention.getByText('Item 0 and 99+ more')).toBeVisible();
});

test('without activity, the cards say what will appear in them', async () => {
  renderAt(HOME);
  expect(await (await region('Hot leads')).findByText('No hot leads right now')).toBeVisible();
  expect((await region('Recent activity')).getByText('No activity yet')).toBeVisible();
});

test('what failed to load is loaded again by one button', async () => {
  const failure = () => problem(403, 'Not now');
  server.use(
    http.get('*/v1/analytics/leads/summary', failure, { once: true }),
    http.get('*/v1/analytics/activity', failure, { once: true }),
    http.get('*/v1/content', failure, { once: true }),
    http.get('*/v1/analytics/overview', failure, { once: true }),
  );
  const { user } = renderAt(HOME);
  const hot = await region('Hot leads');
  expect((await region('Recent activity')).getByRole('button', { name: 'Try again' })).toBeVisible();
  expect((await region('Needs attention')).getByRole('button', { name: 'Try again' })).toBeVisible();
  expect((await region('Last 28 days')).getByRole('button', { name: 'Try again' })).toBeVisible();
  await user.click(hot.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No hot leads right now')).toBeVisible();
  expect(screen.getByText('No activity yet')).toBeVisible();
  expect(screen.getByText('Nothing needs your attention.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
