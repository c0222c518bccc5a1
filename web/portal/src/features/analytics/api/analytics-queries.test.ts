/** The ranges that the calls ask for. */
import { QueryClient } from '@tanstack/react-query';
import { HttpResponse, http } from 'msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { series } from '~/shared/testing/numbers.ts';
import { ORG, server } from '~/shared/testing/server.ts';
import { personSeriesQuery, personTotalsQuery } from './analytics-queries.ts';

test('what a person watches is asked for the year until last midnight, and for the 28 days of the charts', async () => {
  const asked: (string | null)[][] = [];
  const note = (url: string, ...names: string[]) => {
    const { searchParams } = new URL(url);
    asked.push(names.map((name) => searchParams.get(name)));
  };
  server.use(
    http.get('*/v1/analytics/users/victor', ({ request }) => {
      note(request.url, 'startDate', 'endDate');
      return HttpResponse.json({ total: 0 });
    }),
    http.get('*/v1/analytics/views', ({ request }) => {
      note(request.url, 'startTime', 'endTime');
      return HttpResponse.json(series);
    }),
  );
  vi.setSystemTime('2026-11-20T12:00:00Z');
  onTestFinished(() => void vi.useRealTimers());
  const client = new QueryClient();
  await client.fetchQuery(personTotalsQuery(ORG, 'UTC', 'victor', 'year'));
  await client.fetchQuery(personTotalsQuery(ORG, 'UTC', 'victor', '28d'));
  await client.fetchQuery(personSeriesQuery(ORG, 'UTC', 'victor', 'views'));
  const [year, list, chart] = asked;
  expect(year).toEqual(['2025-11-20T00:00:00.000Z', '2026-11-20T00:00:00.000Z']);
  expect(list).toEqual(chart);
});
