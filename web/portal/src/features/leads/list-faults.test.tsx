/** The leads when something fails or moves meanwhile. */
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import type { LeadOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { lead, leadDetail, series } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, problem, profile, server } from '~/shared/testing/server.ts';

const LEADS = `/org/${ORG}/leads`;
const counts = { total: 13, hot: 13, warm: 0, cold: 0 };

const people = http.get('*/v1/profiles/:ids', ({ params: { ids } }) =>
  list(
    String(ids)
      .split(';')
      .map((uid) => ({ ...profile, uid, displayName: `Person ${uid}`, company: '' })),
  ),
);

/** What the details of one lead load besides the profile. */
const details = [
  http.get('*/v1/analytics/users/:id', () =>
    HttpResponse.json({
      total: 0,
      mostViewedContent: [],
      longestWatchedContent: [],
      mostViewedPlaylists: [],
      longestWatchedPlaylists: [],
    }),
  ),
  http.get('*/v1/analytics/:series', () => HttpResponse.json(series)),
  http.get('*/v1/organizations/:org/users/:user/history', () => list([])),
];

/** The pages of the list; a search finds nothing. */
const pages = (...all: LeadOut[][]) =>
  http.get('*/v1/analytics/leads', ({ request }) => {
    const { searchParams } = new URL(request.url);
    const data = searchParams.has('search') ? [] : searchParams.has('startAfter') ? all[1] : all[0];
    return HttpResponse.json({ data, counts });
  });

test('details that cannot be loaded are not said to be unknown, and are loaded again on request', async () => {
  server.use(pages([lead('ann')]), people);
  server.use(http.get('*/v1/profiles/:ids', () => problem(403, 'Not now'), { once: true }));
  const { user } = renderAt(LEADS);
  expect(await screen.findByText('The details of some leads are missing.')).toBeVisible();
  const table = screen.getByRole('table', { name: 'Leads' });
  expect(within(table).queryByText('N/A')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await within(table).findByRole('button', { name: 'Person ann' })).toBeVisible();
  expect(within(table).getAllByText('N/A')).not.toHaveLength(0);
  expect(screen.queryByText('The details of some leads are missing.')).toBeNull();
});

test('one lead whose profile cannot be loaded shows the rest, and loads it again on request', async () => {
  server.use(
    pages([]),
    people,
    http.get('*/v1/analytics/leads/victor', () => HttpResponse.json(leadDetail)),
    ...details,
  );
  server.use(http.get('*/v1/profiles/:ids', () => problem(403, 'Not now'), { once: true }));
  const { user } = renderAt(`${LEADS}?lead=victor`);
  const person = within(await screen.findByRole('region', { name: 'Details' }));
  await user.click(await person.findByRole('button', { name: 'Try again' }));
  expect(person.queryByText('N/A')).toBeNull();
  expect(await person.findByText('Person victor')).toBeVisible();
});

test('a lead that moved between two pages is listed once', async () => {
  const first = Array.from({ length: 11 }, (_, n) => lead(`p${n}`));
  server.use(pages(first, [...first.slice(8), lead('new')]), people);
  const { user } = renderAt(LEADS);
  expect(await screen.findByRole('row', { name: /Person p0 / })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByRole('row', { name: /Person new / })).toBeVisible();
  expect(screen.getAllByRole('row')).toHaveLength(1 + 12);
});

test('what a search finds is announced, and the focus stays on the screen', async () => {
  server.use(pages([lead('ann')]), people);
  const { user } = renderAt(`${LEADS}?search=nobody`);
  const all = await screen.findByRole('button', { name: 'Show all leads' });
  const announced = screen.getAllByRole('status').find(({ textContent }) => textContent === '0 leads');
  expect(announced).toBeInTheDocument();
  await user.click(all);
  expect(await screen.findByRole('row', { name: /Person ann / })).toBeVisible();
  expect(screen.getByRole('searchbox', { name: 'Search leads' })).toHaveFocus();
  await waitFor(() => expect(announced).toHaveTextContent(''));
  await user.click(screen.getByRole('button', { name: /Hot leads/ }));
  // Of one temperature, the number is known.
  await waitFor(() => expect(announced).toHaveTextContent('13 leads'));
});

test('a search with further pages finds at least those on the screen', async () => {
  const found = Array.from({ length: 12 }, (_, n) => lead(`p${n}`));
  server.use(
    people,
    http.get('*/v1/analytics/leads', () => HttpResponse.json({ data: found, counts })),
  );
  renderAt(`${LEADS}?search=person`);
  expect(await screen.findByRole('row', { name: /Person p0 / })).toBeVisible();
  expect(screen.getByText('At least 12 leads')).toBeInTheDocument();
});

test('details that wait for a connection are not said to be unknown', async () => {
  server.use(pages([lead('ann')]), people);
  const { client } = renderAt(LEADS);
  const table = await screen.findByRole('table', { name: 'Leads' });
  expect(await within(table).findByRole('button', { name: 'Person ann' })).toBeVisible();
  act(() => onlineManager.setOnline(false));
  onTestFinished(() => onlineManager.setOnline(true));
  await act(() => client.resetQueries({ queryKey: ['org', ORG, 'profiles'] }, { cancelRefetch: true }).catch(() => {}));
  await waitFor(() => expect(within(table).queryByRole('button', { name: 'Person ann' })).toBeNull());
  expect(within(table).queryByText('N/A')).toBeNull();
});

test('the rows say when people were seen, while a search is made', async () => {
  const lastSeen = new Date(Date.now() - 3 * 3_600_000).toISOString();
  server.use(pages([lead('ann', { lastSeen })]), people);
  const { user } = renderAt(LEADS);
  const row = await screen.findByRole('row', { name: /Person ann / });
  expect(row).toHaveTextContent('3 hours ago');
  server.use(http.get('*/v1/analytics/leads', () => new Promise<never>(() => undefined)));
  await user.type(screen.getByRole('searchbox', { name: 'Search leads' }), 'bob');
  await waitFor(() => expect(row.closest('[aria-busy="true"]')).not.toBeNull());
  expect(row).toHaveTextContent('3 hours ago');
});

test('the focus goes to the first of the further reasons', async () => {
  const [reason] = leadDetail.reasons;
  const reasons = Array.from({ length: 7 }, (_, n) => ({ ...reason, points: n + 1 }));
  server.use(
    pages([lead('victor')]),
    people,
    http.get('*/v1/analytics/leads/victor', () => HttpResponse.json({ ...leadDetail, reasons })),
    ...details,
  );
  const { user } = renderAt(`${LEADS}?lead=victor`);
  await user.click(await screen.findByRole('button', { name: 'Show all 7' }));
  const entries = within(screen.getByRole('list', { name: 'Why this score' })).getAllByRole('listitem');
  expect(entries).toHaveLength(7);
  expect(entries[5]).toHaveFocus();
});
