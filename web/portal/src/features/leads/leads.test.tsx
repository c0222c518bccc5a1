/** The leads: list, filters, and the details of one. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { content } from '~/shared/testing/content.ts';
import { lead, leadDetail, series } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import {
  belongsTo,
  list,
  membership,
  ORG,
  organisation,
  playlist,
  problem,
  profile,
  server,
} from '~/shared/testing/server.ts';

const LEADS = `/org/${ORG}/leads`;
const counts = { total: 3, hot: 1, warm: 1, cold: 1 };
const victor = { ...profile, uid: 'victor', displayName: 'Victor Fan', email: 'victor@example.com', country: 'NO' };
const others = { warm: lead('wendy', { score: 30, temperature: 'warm', lastSeen: null }), hot: lead('victor') };

/** The queries that the list was asked with. */
let asked: string[];

beforeEach(() => {
  asked = [];
  server.use(
    http.get('*/v1/analytics/leads', ({ request }) => {
      const { searchParams } = new URL(request.url);
      searchParams.delete('orgId');
      asked.push(searchParams.toString());
      const data = Object.values(others).filter(
        ({ temperature }) =>
          searchParams.get('temperature') === null || searchParams.get('temperature') === temperature,
      );
      return HttpResponse.json({ data: searchParams.get('search') === 'nobody' ? [] : data, counts });
    }),
    http.get('*/v1/profiles/:ids', ({ params: { ids } }) =>
      list(
        String(ids)
          .split(';')
          .map((uid) => (uid === 'victor' ? victor : { ...profile, uid, company: '' })),
      ),
    ),
    http.get('*/v1/organizations/:org/users/:user/history', () =>
      list([
        { type: 'view', time: leadDetail.lead.lastSeen, contentId: 'tour', title: 'Studio tour', watchTimeMs: 90_000 },
      ]),
    ),
    http.get('*/v1/analytics/leads/victor', () => HttpResponse.json(leadDetail)),
    http.get('*/v1/analytics/:series', () => HttpResponse.json(series)),
    http.get('*/v1/analytics/users/victor', () =>
      HttpResponse.json({
        total: 423_600,
        mostViewedContent: ['tour', 'gone', 'c', 'd'].map((id, n) => ({ id, viewCount: 9 - n })),
        longestWatchedContent: [],
        mostViewedPlaylists: ['basics', 'gone'].map((id) => ({ id, viewCount: 1 })),
        longestWatchedPlaylists: [],
      }),
    ),
    http.get('*/v1/content/:id', ({ params: { id } }) =>
      id === 'gone'
        ? problem(404, 'Not found')
        : HttpResponse.json(content(String(id), `Item ${String(id)}`, id === 'tour' ? { kind: 'embed' } : {})),
    ),
    http.get('*/v1/playlists/:id', ({ params: { id } }) =>
      id === 'gone' ? problem(404, 'Not found') : HttpResponse.json(playlist(String(id), 'Safety basics')),
    ),
  );
});

describe('the list', () => {
  test('has the eight columns, whole badges, and N/A for what is not known', async () => {
    renderAt(LEADS);
    const table = await screen.findByRole('table', { name: 'Leads' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['User', 'Email', 'Phone number', 'Country', 'Lead type', 'Company', 'Business area', 'Job title']);
    const row = await within(table).findByRole('row', { name: /Victor Fan/ });
    expect(row).toHaveTextContent('victor@example.com');
    expect(row).toHaveTextContent('Norway');
    expect(row).toHaveTextContent(/Hot62/);
    const [wendy] = within(table).getAllByRole('row').slice(1);
    expect(wendy).toHaveTextContent('Last visit unknown');
    expect(wendy).toHaveTextContent('N/A');
  });

  test('shows five placeholder rows until it has loaded', async () => {
    server.use(http.get('*/v1/analytics/leads', () => new Promise(() => undefined)));
    renderAt(LEADS);
    const table = await screen.findByRole('table', { name: 'Leads' });
    expect(within(table).getAllByRole('row')).toHaveLength(6);
  });

  test('is filtered by temperature, searched and sorted, all in the URL', async () => {
    const { user, path } = renderAt(LEADS);
    const hot = await screen.findByRole('button', { name: /Hot leads/ });
    await user.click(hot);
    await waitFor(() => expect(path()).toBe(`${LEADS}?temperature=hot`));
    expect(hot).toHaveAttribute('aria-pressed', 'true');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    await user.click(screen.getByRole('combobox', { name: 'Sort leads' }));
    await user.click(await screen.findByRole('option', { name: 'Newest' }));
    await waitFor(() => expect(asked).toContain('temperature=hot&sort=newest'));
    await user.type(screen.getByRole('searchbox', { name: 'Search leads' }), 'nobody');
    expect(await screen.findByText('No leads match')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all leads' }));
    await waitFor(() => expect(path()).toBe(`${LEADS}?sort=newest`));
    expect(await screen.findByRole('row', { name: /Victor Fan/ })).toBeVisible();
  });

  test('can be saved as CSV even if a search or filter has no match', async () => {
    server.use(
      http.get('*/v1/analytics/leads', ({ request }) => {
        const all = !/search|temperature/.test(new URL(request.url).search);
        return HttpResponse.json({ data: all ? [others.hot] : [], counts });
      }),
    );
    for (const search of ['?search=nobody', '?temperature=cold']) {
      const { unmount } = renderAt(`${LEADS}${search}`);
      expect(await screen.findByText('No leads match')).toBeVisible();
      expect(screen.getByRole('button', { name: 'Download leads as .csv' })).toBeVisible();
      unmount();
    }
  });

  test('is sorted by the headers of the columns that the server can sort', async () => {
    const { user, path } = renderAt(LEADS);
    const table = within(await screen.findByRole('table', { name: 'Leads' }));
    const [person, score] = ['User', 'Lead type'].map((name) => table.getByRole('columnheader', { name }));
    expect(score).toHaveAttribute('aria-sort', 'descending');
    expect(person).toHaveAttribute('aria-sort', 'none');
    expect(table.getByRole('columnheader', { name: 'Email' })).not.toHaveAttribute('aria-sort');
    await user.click(table.getByRole('button', { name: 'User' }));
    await waitFor(() => expect(path()).toBe(`${LEADS}?sort=lastSeen`));
    await waitFor(() => expect(asked).toContain('sort=lastSeen'));
    expect(person).toHaveAttribute('aria-sort', 'descending');
    expect(score).toHaveAttribute('aria-sort', 'none');
    await user.click(table.getByRole('button', { name: 'Lead type' }));
    await waitFor(() => expect(path()).toBe(LEADS));
  });

  test('keeps its rows while further pages and their profiles load', async () => {
    const page = (from: number, length: number) =>
      Array.from({ length }, (_, n) => lead(`p${from + n}`, { score: 99 - from - n }));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.use(
      http.get('*/v1/analytics/leads', ({ request }) =>
        HttpResponse.json({
          data: new URL(request.url).searchParams.has('startAfter') ? page(11, 2) : page(0, 11),
          counts: { ...counts, total: 13 },
        }),
      ),
      http.get('*/v1/profiles/:ids', async ({ params: { ids } }) => {
        if (String(ids).startsWith('p11')) await held;
        return list(
          String(ids)
            .split(';')
            .map((uid) => ({ ...profile, uid, displayName: `Person ${uid}` })),
        );
      }),
    );
    const { user } = renderAt(LEADS);
    expect(await screen.findByRole('row', { name: /Person p0 / })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(14));
    expect(screen.getByRole('row', { name: /Person p0 / })).toBeVisible();
    release();
    expect(await screen.findByRole('row', { name: /Person p12/ })).toBeVisible();
  });

  test('is a list instead of a table on a phone', async () => {
    const media = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
      ...media(query),
      matches: query.includes('48em'),
    }));
    const { user, path } = renderAt(LEADS);
    const people = await screen.findByRole('list', { name: 'Leads' });
    await user.click(await within(people).findByRole('button', { name: 'Victor Fan' }));
    await waitFor(() => expect(path()).toBe(`${LEADS}?lead=victor`));
    expect(screen.queryByRole('table', { name: 'Leads' })).toBeNull();
    vi.restoreAllMocks();
  });

  test('has a next step while there are no leads, for those who can take it', async () => {
    server.use(
      http.get('*/v1/analytics/leads', () =>
        HttpResponse.json({ data: [], counts: { total: 0, hot: 0, warm: 0, cold: 0 } }),
      ),
    );
    const { unmount } = renderAt(LEADS);
    expect(await screen.findByRole('link', { name: 'Share your joining link' })).toHaveAttribute(
      'href',
      `/org/${ORG}/profile`,
    );
    unmount();
    server.use(belongsTo(membership('teamUser')));
    renderAt(LEADS);
    expect(await screen.findByText('No leads yet')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Share your joining link' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Download leads as .csv', hidden: true })).toBeNull();
  });

  test('has the joining link to copy while there are no leads', async () => {
    const url = 'https://vitrine.example/app/join/abc';
    server.use(
      http.get('*/v1/analytics/leads', () =>
        HttpResponse.json({ data: [], counts: { total: 0, hot: 0, warm: 0, cold: 0 } }),
      ),
      http.get('*/v1/organizations', () => list([{ ...organisation, publicJoinUrl: url }])),
    );
    const { user } = renderAt(LEADS);
    expect(await screen.findByRole('textbox', { name: 'Share your joining link' })).toHaveValue(url);
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Joining link copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(url);
  });

  test('that fails to load says why, and can be tried again', async () => {
    server.use(http.get('*/v1/analytics/leads', () => problem(403, 'Not now'), { once: true }));
    const { user } = renderAt(LEADS);
    expect(await screen.findByText('Not now')).toBeVisible();
    expect(screen.getAllByText('N/A')).toHaveLength(4);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('row', { name: /Victor Fan/ })).toBeVisible();
  });
});

describe('the details', () => {
  test('explain the score, and show top lists, charts and the year', async () => {
    const { user } = renderAt(LEADS);
    await user.click(await screen.findByRole('button', { name: 'Victor Fan' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Lead' }));
    const why = within(await dialog.findByRole('list', { name: 'Why this score' }));
    const [contact, coverage, day] = why.getAllByRole('listitem');
    expect(contact).toHaveTextContent(/^Opened the contact details of Safety basics\+25.*now 24.4$/);
    expect(coverage).toHaveTextContent(/^Watched a new part of Studio tour\+20.*now 19.6$/);
    expect(day).toHaveTextContent(/^Was active on this day\+3.*now 2.9$/);
    const top = within(await dialog.findByRole('list', { name: 'Top 3 content' }));
    expect(await top.findByRole('link', { name: 'Item tour' })).toHaveAttribute(
      'href',
      `/org/${ORG}/analytics/content/tour`,
    );
    expect(await top.findByText('There was an error loading this content.')).toBeVisible();
    const [tour, gone] = top.getAllByRole('listitem');
    expect(tour?.querySelector('.vt-cover')).toHaveTextContent('IT');
    expect(gone?.querySelector('.vt-cover')).toBeNull();
    expect(top.getAllByRole('listitem')).toHaveLength(3);
    const playlists = within(dialog.getByRole('list', { name: 'Top 3 playlists' }));
    expect(await playlists.findByRole('link', { name: 'Safety basics' })).toBeVisible();
    expect(await playlists.findByText('Error loading playlist.')).toBeVisible();
    expect(playlists.getAllByRole('link')).toHaveLength(1);
    expect(await dialog.findByText('7.06 min')).toBeVisible();
    expect(dialog.getByText('Last 12 months')).toBeVisible();
    for (const name of ['Sign ins', 'Watch time (minutes)', 'Views']) {
      expect(await dialog.findByRole('table', { name })).toBeInTheDocument();
    }
    const recent = within(await dialog.findByRole('list', { name: 'Recent activity' }));
    expect(recent.getByText('Watched Studio tour (1:30)')).toBeVisible();
    expect(dialog.queryByText('N/A')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Copy email' }));
    expect(await navigator.clipboard.readText()).toBe('victor@example.com');
    expect(dialog.queryByText('Job title')).toBeNull();
    await user.click(dialog.getByRole('button', { name: /^\+\d empty$/ }));
    expect(dialog.getByText('Job title')).toBeVisible();
    expect(dialog.getAllByText('N/A')).not.toHaveLength(0);
    expect(dialog.getByRole('link', { name: 'Send email' })).toHaveAttribute('href', 'mailto:victor@example.com');
  });

  test('open from the URL for a lead that is not in the list', async () => {
    server.use(http.get('*/v1/analytics/leads', () => HttpResponse.json({ data: [others.warm], counts })));
    renderAt(`${LEADS}?lead=victor`);
    const dialog = within(await screen.findByRole('dialog', { name: 'Lead' }));
    expect(await dialog.findByText('Victor Fan')).toBeVisible();
    expect(await dialog.findByText('Why this score')).toBeVisible();
  });

  test('say so if the person is no longer a lead', async () => {
    server.use(http.get('*/v1/analytics/leads/nobody', () => problem(404, 'Not found')));
    const { user, path } = renderAt(`${LEADS}?lead=nobody`);
    expect(await screen.findByText('This person is no longer a lead.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(path()).toBe(LEADS));
  });
});
