/** What the report shows while another range waits for a connection or for its answer. */
import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { overview, reportHandlers } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, server } from '~/shared/testing/server.ts';

const ANALYTICS = `/org/${ORG}/analytics`;
const OLDER = 'The figures below are from: Last 7 days.';
const WAITING = 'The range you chose loads once you are connected.';

beforeEach(() => {
  server.use(...reportHandlers);
});

afterEach(() => {
  act(() => onlineManager.setOnline(true));
});

/** Opens the report of the last 7 days, and returns a function that chooses the last 30. */
async function openReport() {
  const { user } = renderAt(ANALYTICS);
  await screen.findByRole('table', { name: 'Watch time (minutes)' });
  await screen.findByText('33% more than in the period before');
  return async () => {
    await user.click(screen.getByRole('combobox', { name: 'Date range' }));
    await user.click(await screen.findByRole('option', { name: 'Last 30 days' }));
  };
}

test('offline, it says which range its figures have, and loads the other one later', async () => {
  const chooseMonth = await openReport();
  act(() => onlineManager.setOnline(false));
  await chooseMonth();
  expect(await screen.findByText(WAITING)).toBeVisible();
  // The overview, the watch time and the verdicts.
  expect(screen.getAllByText(OLDER)).toHaveLength(3);
  expect(screen.getByText('33% more than in the period before')).toBeVisible();
  server.use(http.get('*/v1/analytics/overview', () => HttpResponse.json({ ...overview, views: 6 })));
  act(() => onlineManager.setOnline(true));
  expect(await screen.findByText('100% more than in the period before')).toBeVisible();
  expect(screen.queryByText(OLDER)).toBeNull();
});

test('its figures are marked as outdated until those of the chosen range arrive', async () => {
  const chooseMonth = await openReport();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/v1/analytics/overview', async () => {
      await answered;
      return HttpResponse.json({ ...overview, views: 6 });
    }),
  );
  await chooseMonth();
  const busy = (text: string) => screen.getByText(text).closest('[aria-busy]')?.getAttribute('aria-busy');
  expect(busy('33% more than in the period before')).toBe('true');
  answer();
  expect(await screen.findByText('100% more than in the period before')).toBeVisible();
  expect(busy('100% more than in the period before')).toBe('false');
});

test('offline, the bars of another interval are named', async () => {
  await openReport();
  act(() => onlineManager.setOnline(false));
  fireEvent.click(screen.getByRole('combobox', { name: 'Interval' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Weeks' }));
  expect(await screen.findByText('The figures below are from: Last 7 days, by day.')).toBeVisible();
  expect(screen.queryByText(WAITING)).toBeNull();
});
