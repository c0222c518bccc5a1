/** The bars of the organisation beside the period before. */
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { overview, reportHandlers, series } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, problem, server } from '~/shared/testing/server.ts';

const ANALYTICS = `/org/${ORG}/analytics`;
/** The plan cut the period before the range. */
const cut = { previousLimitedFrom: '2026-11-10T00:00:00.000Z' };
const COMPARED = /(more|less|same|None) (than |as )?in the period before/i;
const region = async (name: string) => within(await screen.findByRole('region', { name }));

/** Whether the range that a request asks for ended more than that many days ago. */
const endsBefore = ({ url }: Request, days: number) =>
  Date.parse(new URL(url).searchParams.get('endTime') ?? '') < Date.now() - days * 86_400_000;

beforeEach(() => {
  server.use(...reportHandlers);
});

test('can be compared with the period before', async () => {
  // Both ranges are of one day.
  vi.setSystemTime('2026-11-20T12:00:00Z');
  onTestFinished(() => void vi.useRealTimers());
  const starts: (string | null)[] = [];
  server.use(
    http.get('*/v1/analytics/watch_time', ({ request }) => {
      starts.push(new URL(request.url).searchParams.get('startTime'));
      const days = [60_000, 120_000].map((value) => ({ time: '', value }));
      return HttpResponse.json(starts.length === 1 ? series : { ...series, data: days });
    }),
  );
  const { user } = renderAt(ANALYTICS);
  await screen.findByRole('table', { name: 'Watch time (minutes)' });
  await user.click(screen.getByRole('switch', { name: 'Compare with the period before' }));
  expect(await screen.findByRole('columnheader', { name: 'Before' })).toBeInTheDocument();
  expect(await screen.findByRole('cell', { name: '1.00' })).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: '2.00' })).toBeInTheDocument();
  expect(Date.parse(starts[0] ?? '') - Date.parse(starts[1] ?? '')).toBe(7 * 86_400_000);
});

test('months are compared with as many days, whatever months these are in', async () => {
  const units: (string | null)[] = [];
  server.use(
    http.get('*/v1/analytics/watch_time', ({ request }) => {
      const unit = new URL(request.url).searchParams.get('unit');
      if (!endsBefore(request, 5)) {
        return HttpResponse.json({ ...series, data: [{ time: '2026-03-01T00:00:00.000Z', value: 60_000 }] });
      }
      units.push(unit);
      // The last two days of one month, and five of the next.
      return HttpResponse.json({ ...series, data: Array.from({ length: 7 }, () => ({ time: '', value: 60_000 })) });
    }),
  );
  const { user } = renderAt(ANALYTICS);
  await screen.findByRole('table', { name: 'Watch time (minutes)' });
  await user.click(screen.getByRole('combobox', { name: 'Interval' }));
  await user.click(await screen.findByRole('option', { name: 'Months' }));
  await user.click(screen.getByRole('switch', { name: 'Compare with the period before' }));
  expect(await screen.findByRole('row', { name: 'Mar 2026 1.00 7.00' })).toBeInTheDocument();
  expect(units).toEqual(['days']);
});

test('is compared with no other range while the one that was chosen fails to load', async () => {
  const { user } = renderAt(ANALYTICS);
  await screen.findByRole('table', { name: 'Watch time (minutes)' });
  await user.click(screen.getByRole('switch', { name: 'Compare with the period before' }));
  expect(await screen.findByRole('columnheader', { name: 'Before' })).toBeInTheDocument();
  let answered = false;
  server.use(
    http.get('*/v1/analytics/watch_time', ({ request }) => {
      if (!endsBefore(request, 20)) return problem(403, 'No');
      answered = true;
      return HttpResponse.json(series);
    }),
  );
  await user.click(screen.getByRole('combobox', { name: 'Date range' }));
  await user.click(await screen.findByRole('option', { name: 'Last 30 days' }));
  const chart = await region('Watch time');
  expect(await chart.findByText('The figures below are from: Last 7 days.')).toBeVisible();
  expect(chart.getByRole('table', { name: 'Watch time (minutes)' })).toBeInTheDocument();
  await waitFor(() => expect(answered).toBe(true));
  await waitFor(() => expect(chart.queryByRole('columnheader', { name: 'Before' })).toBeNull());
});

test('compares nothing with a period that the plan cut', async () => {
  server.use(
    http.get('*/v1/analytics/overview', () => HttpResponse.json({ ...overview, ...cut })),
    http.get('*/v1/analytics/watch_time', ({ request }) => {
      const limitedFrom = endsBefore(request, 5) ? cut.previousLimitedFrom : undefined;
      return HttpResponse.json({ ...series, limitedFrom });
    }),
  );
  const { user } = renderAt(ANALYTICS);
  expect(await screen.findAllByText('Your plan does not show all of the period before')).toHaveLength(2);
  expect(screen.queryByText(COMPARED)).toBeNull();
  const chart = await region('Watch time');
  await chart.findByRole('table', { name: 'Watch time (minutes)' });
  await user.click(screen.getByRole('switch', { name: 'Compare with the period before' }));
  expect(
    await chart.findByText('Your plan does not show all of the period before, so there is no comparison with it.'),
  ).toBeVisible();
  expect(chart.queryByRole('columnheader', { name: 'Before' })).toBeNull();
});
