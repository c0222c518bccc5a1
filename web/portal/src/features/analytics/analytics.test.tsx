/** The reports: of the organisation, of a content item, of a playlist. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  contentReport,
  noOverview,
  overview,
  playlistReport,
  reportHandlers,
  series,
} from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, membership, ORG, problem, server } from '~/shared/testing/server.ts';

const ANALYTICS = `/org/${ORG}/analytics`;
const ERROR = 'There was an error loading this content.';
/** The plan cut the period before the range. */
const cut = { previousLimitedFrom: '2026-11-10T00:00:00.000Z' };
const COMPARED = /(more|less|same|None) (than |as )?in the period before/i;
const region = async (name: string) => within(await screen.findByRole('region', { name }));
beforeEach(() => {
  server.use(...reportHandlers);
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the report of the organisation', () => {
  test('shows figures with two decimals, their change, and the share of late watch time', async () => {
    renderAt(ANALYTICS);
    expect(await screen.findByText('33% more than in the period before')).toBeVisible();
    expect(screen.getByText('50% less than in the period before')).toBeVisible();
    expect(screen.getByText('3.13 min')).toBeVisible();
    expect(screen.getByText('10%')).toBeVisible();
    expect(screen.getAllByText('12.50 min')).not.toHaveLength(0);
    expect(screen.getAllByText('Days and hours follow the time zone UTC').length).toBeGreaterThan(2);
  });

  test('has its bars as a table, and the arrow keys read them', async () => {
    renderAt(ANALYTICS);
    const chart = await region('Watch time');
    const table = await chart.findByRole('table', { name: 'Watch time (minutes)' });
    const rows = within(table).getAllByRole('row');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'PeriodWatch time (minutes)',
      '19 Nov2.50',
      '20 Nov10.00',
    ]);
    expect(chart.getByText('Average: 6.25')).toBeVisible();
    const slider = await chart.findByRole('slider');
    expect(slider).toHaveAttribute('aria-valuetext', '20 Nov: 10.00 min');
    fireEvent.keyDown(slider, { key: 'ArrowLeft' });
    expect(slider).toHaveAttribute('aria-valuetext', '19 Nov: 2.50 min');
    fireEvent.keyDown(slider, { key: 'ArrowLeft' });
    expect(slider).toHaveAttribute('aria-valuetext', '19 Nov: 2.50 min');
  });

  test('shows an average with two decimals, a whole one too', async () => {
    const data = series.data.map(({ time }, index) => ({ time, value: index === 0 ? 120_000 : 480_000 }));
    server.use(http.get('*/v1/analytics/watch_time', () => HttpResponse.json({ ...series, data })));
    renderAt(ANALYTICS);
    expect(await (await region('Watch time')).findByText('Average: 5.00')).toBeVisible();
  });

  test('is saved as CSV as it is shown', async () => {
    let file = new Blob();
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      file = blob as Blob;
      return 'blob:file';
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { user } = renderAt(ANALYTICS);
    const save = await screen.findByRole('button', { name: 'Download as .csv: Watch time' });
    await waitFor(() => expect(save).toBeEnabled());
    await user.click(save);
    expect(names).toEqual(['northwind-watch-time-7d.csv']);
    expect(await file.text()).toBe(
      '"Begins","Period","Watch time (minutes)"\r\n"2026-11-19T00:00:00.000Z","19 Nov","2.50"\r\n"2026-11-20T00:00:00.000Z","20 Nov","10.00"\r\n',
    );
  });

  test('links top content and playlists to their pages, and names the busiest hour', async () => {
    renderAt(ANALYTICS);
    const top = within(await screen.findByRole('list', { name: 'Top content' }));
    expect(top.getByRole('link', { name: 'Studio tour' })).toHaveAttribute('href', `${ANALYTICS}/content/tour`);
    expect(top.getByText('Video · 3:20 · 3 views · 11.50 min')).toBeVisible();
    const lists = within(screen.getByRole('list', { name: 'Top playlists' }));
    expect(lists.getByRole('link', { name: 'Safety basics' })).toHaveAttribute('href', `${ANALYTICS}/playlists/basics`);
    expect(screen.getByText('Busiest: Friday, 20:00 (10.00 min)')).toBeVisible();
    const hours = screen.getByRole('table', { name: 'Watch time by weekday and hour, in minutes' });
    expect(within(hours).getAllByRole('row')).toHaveLength(8);
    const slider = screen.getByRole('slider', { name: 'Busiest hours: arrow keys read the values' });
    fireEvent.keyDown(slider, { key: 'ArrowUp' });
    expect(screen.getByText('Thursday, 20:00: 0.00 min')).toBeVisible();
    fireEvent.keyDown(slider, { key: 'Home' });
    expect(slider).toHaveAttribute('aria-valuetext', 'Monday, 0:00: 0.00 min');
    fireEvent.keyDown(slider, { key: 'ArrowRight' });
    fireEvent.keyDown(slider, { key: 'ArrowUp' });
    expect(slider).toHaveAttribute('aria-valuetext', 'Monday, 1:00: 0.00 min');
    fireEvent.blur(slider);
    expect(screen.getByText('Busiest: Friday, 20:00 (10.00 min)')).toBeVisible();
  });

  test('tells why views were not counted', async () => {
    renderAt(ANALYTICS);
    const reasons = await region('Why views were not counted');
    expect(await reasons.findByText('50% of all views were not counted')).toBeVisible();
    expect(reasons.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Counted4 views50%',
      'Too short3 views38%Watched for less than 10 seconds, or less than half of a short item',
      'Staff1 view13%People who work for the organization do not count',
      'Watch time over the limit1.50 minMore than a person can watch in the time that passed',
    ]);
  });

  test('keeps its values while another range fails to load, and says which they are', async () => {
    const { user } = renderAt(ANALYTICS);
    expect(await screen.findByText('33% more than in the period before')).toBeVisible();
    server.use(http.get('*/v1/analytics/overview', () => problem(403, 'No')));
    await user.click(screen.getByRole('combobox', { name: 'Date range' }));
    await user.click(await screen.findByRole('option', { name: 'Last 30 days' }));
    expect(await screen.findByText(ERROR)).toBeVisible();
    expect(screen.getByText('The figures below are from: Last 7 days.')).toBeVisible();
    expect(screen.getByText('33% more than in the period before')).toBeVisible();
    server.use(http.get('*/v1/analytics/overview', () => HttpResponse.json({ ...overview, views: 6 })));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('100% more than in the period before')).toBeVisible();
    expect(screen.queryByText(ERROR)).toBeNull();
  });

  test('says so where nothing could be loaded', async () => {
    server.use(
      http.get('*/v1/analytics/overview', () => problem(403, 'No')),
      http.get('*/v1/analytics/verdicts', () => problem(403, 'No')),
      http.get('*/v1/analytics/watch_time', () => problem(403, 'No')),
    );
    renderAt(ANALYTICS);
    await waitFor(() => expect(screen.getAllByText(ERROR)).toHaveLength(3));
    expect(screen.getAllByText('N/A')).toHaveLength(4);
  });

  test('is calm if nothing was watched', async () => {
    server.use(
      http.get('*/v1/analytics/overview', () => HttpResponse.json(noOverview)),
      http.get('*/v1/analytics/verdicts', () => HttpResponse.json({ timeZone: 'UTC', counted: 0, notCounted: [] })),
    );
    renderAt(ANALYTICS);
    expect(await screen.findAllByText('No views in this period')).toHaveLength(2);
    expect(screen.getByText('Nothing was watched in this period.')).toBeVisible();
    expect(await screen.findByText('There were no views in this period.')).toBeVisible();
  });

  test('explains a range that the plan cut', async () => {
    server.use(
      http.get('*/v1/analytics/overview', () =>
        HttpResponse.json({ ...overview, limitedFrom: '2026-08-20T00:00:00.000Z' }),
      ),
    );
    renderAt(`${ANALYTICS}?range=12m`);
    expect(await screen.findByText('Your plan shows numbers from 20 August 2026.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See plans in Billing' })).toHaveAttribute('href', '/billing');
  });

  test('names the day since which the time zone applies', async () => {
    const since = { ...overview, timeZoneSince: '2026-08-20T00:00:00.000Z' };
    server.use(http.get('*/v1/analytics/overview', () => HttpResponse.json(since)));
    renderAt(`${ANALYTICS}?range=12m`);
    const note =
      'Days and hours follow the time zone UTC since 20 August 2026; earlier ones follow the zone that was set before';
    expect(await screen.findByText(note)).toBeVisible();
  });

  test('is not for the role user', async () => {
    server.use(belongsTo(membership('user')));
    renderAt(`${ANALYTICS}/content/tour`);
    expect(await screen.findByRole('heading', { name: 'No active plan detected' })).toBeVisible();
  });
});

describe('the report of a content item', () => {
  test('shows how far people watched, and each part by the keyboard', async () => {
    renderAt(`${ANALYTICS}/content/tour`);
    expect(await screen.findByRole('heading', { name: 'Studio tour', level: 1 })).toBeVisible();
    expect(screen.getByText('Video · 3:20')).toBeVisible();
    expect(screen.getByText('63%')).toBeVisible();
    const slider = screen.getByRole('slider', { name: 'Where people watch: arrow keys read the values' });
    fireEvent.keyDown(slider, { key: 'Home' });
    expect(slider).toHaveAttribute('aria-valuetext', '0:00: 4 people (100%), 6 plays');
    fireEvent.keyDown(slider, { key: 'End' });
    expect(slider).toHaveAttribute('aria-valuetext', '3:18: 2 people (50%), 3 plays');
    expect(within(screen.getByRole('table', { name: 'Where people watch' })).getAllByRole('row')).toHaveLength(101);
    const devices = within(screen.getByRole('list', { name: 'Devices' })).getAllByRole('listitem');
    expect(devices.map(({ textContent }) => textContent)).toEqual(['Desktop9 people75%', 'Mobile3 people25%']);
    expect(screen.getByRole('list', { name: 'Countries' })).toHaveTextContent('Norway4 people33%');
  });

  test('says so if parts and shares are not known', async () => {
    server.use(
      http.get('*/v1/analytics/content/tour', () =>
        HttpResponse.json({ ...contentReport, retention: [], averageShare: null, finishRate: null, devices: [] }),
      ),
    );
    renderAt(`${ANALYTICS}/content/tour`);
    expect(
      await screen.findByText('The length of this item is not known, so its parts cannot be shown.'),
    ).toBeVisible();
    expect(screen.getAllByText('N/A')).toHaveLength(2);
    expect(screen.getAllByText('Groups of fewer than 3 people are not shown.')).not.toHaveLength(0);
  });

  test('says that images and files have no parts', async () => {
    const image = { ...contentReport, kind: 'image', retention: [], averageShare: null };
    server.use(http.get('*/v1/analytics/content/tour', () => HttpResponse.json(image)));
    renderAt(`${ANALYTICS}/content/tour`);
    expect(
      await screen.findByText('Images and files are opened as a whole, so there are no parts to compare.'),
    ).toBeVisible();
  });

  test('of a deleted item leads back', async () => {
    server.use(http.get('*/v1/analytics/content/gone', () => problem(404, 'Not found')));
    renderAt(`${ANALYTICS}/content/gone`);
    expect(await screen.findByText('There are no numbers here')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to analytics' })).toHaveAttribute('href', ANALYTICS);
  });

  test('can be asked for another range, which stays in the URL', async () => {
    const { user, path } = renderAt(`${ANALYTICS}/content/tour`);
    await screen.findByRole('heading', { name: 'Studio tour', level: 1 });
    await user.click(screen.getByRole('combobox', { name: 'Date range' }));
    await user.click(await screen.findByRole('option', { name: 'Last 3 months' }));
    await waitFor(() => expect(path()).toBe(`${ANALYTICS}/content/tour?range=3m`));
  });
});

test('the report of a playlist lists its items with their finish rates', async () => {
  renderAt(`${ANALYTICS}/playlists/basics`);
  expect(await screen.findByRole('heading', { name: 'Safety basics', level: 1 })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Open playlist' })).toHaveAttribute('href', `/org/${ORG}/playlists/basics`);
  expect(screen.getByText('Video · 3:20 · 3 views · 11.50 min · finish rate 50%')).toBeVisible();
  expect(screen.getByText('N/A')).toBeVisible();
});

test.each([
  ['content/tour', contentReport],
  ['playlists/basics', playlistReport],
])('the report of %s compares nothing with a period that the plan cut', async (page, report) => {
  server.use(http.get(`*/v1/analytics/${page}`, () => HttpResponse.json({ ...report, ...cut })));
  renderAt(`${ANALYTICS}/${page}`);
  expect(await screen.findAllByText('Your plan does not show all of the period before')).toHaveLength(2);
  expect(screen.queryByText(COMPARED)).toBeNull();
});
