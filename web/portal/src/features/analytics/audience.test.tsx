/** Devices and countries of the viewers in a report. */
import { fireEvent, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { contentReport } from '~/shared/testing/numbers.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { ORG, server } from '~/shared/testing/server.ts';

const TOO_FEW = 'Groups of fewer than 3 people are not shown.';
const FROM_THREE = 'Countries are listed from 3 people on, as far as they are known.';

test.each([
  [0, 'No views in this period', 'No views in this period'],
  [2, TOO_FEW, TOO_FEW],
  [5, TOO_FEW, FROM_THREE],
])('without groups among %i people, it says why', async (uniques, devices, countries) => {
  const report = { ...contentReport, uniques, devices: [], countries: [] };
  server.use(http.get('*/v1/analytics/content/tour', () => HttpResponse.json(report)));
  renderAt(`/org/${ORG}/analytics/content/tour`);
  expect(await screen.findByRole('heading', { name: 'Studio tour', level: 1 })).toBeVisible();
  const section = (name: string) => within(screen.getByRole('region', { name }));
  expect(await section('Devices').findByText(devices)).toBeVisible();
  expect(section('Countries').getByText(countries)).toBeVisible();
});

test('shares are those of all viewers, also of those in no row', async () => {
  const countries = [{ code: 'DE', name: 'Germany', people: 5 }];
  const report = { ...contentReport, uniques: 100, devices: [{ name: 'desktop', people: 90 }], countries };
  server.use(http.get('*/v1/analytics/content/tour', () => HttpResponse.json(report)));
  renderAt(`/org/${ORG}/analytics/content/tour`);
  expect(await screen.findByText('Germany')).toBeVisible();
  expect(screen.getByRole('list', { name: 'Countries' })).toHaveTextContent('Germany5 people5%');
  expect(screen.getByRole('list', { name: 'Devices' })).toHaveTextContent('Desktop90 people90%');
  const note = 'Not shown: countries of fewer than 3 people, and viewers whose country is not known.';
  expect(screen.getByText(note)).toBeVisible();
});

test('more countries than the list shows are not passed over in silence', async () => {
  const countries = ['DE', 'FR', 'NO', 'SE', 'FI', 'DK', 'IT', 'ES', 'PT'].map((code) => ({
    code,
    name: code,
    people: 5,
  }));
  server.use(http.get('*/v1/analytics/content/tour', () => HttpResponse.json({ ...contentReport, countries })));
  renderAt(`/org/${ORG}/analytics/content/tour`);
  expect(await screen.findByText('Germany')).toBeVisible();
  expect(within(screen.getByRole('list', { name: 'Countries' })).getAllByRole('listitem')).toHaveLength(8);
  expect(screen.getByText('Not shown: further countries, and viewers whose country is not known.')).toBeVisible();
});

test('the curve of a document is about its pages', async () => {
  const report = { ...contentReport, kind: 'pdf', durationMs: null, pages: 8 };
  server.use(http.get('*/v1/analytics/content/tour', () => HttpResponse.json(report)));
  renderAt(`/org/${ORG}/analytics/content/tour`);
  expect(await screen.findByText('How many people saw each page')).toBeVisible();
  const slider = screen.getByRole('slider', { name: 'Where people watch: arrow keys read the values' });
  fireEvent.keyDown(slider, { key: 'Home' });
  fireEvent.keyDown(slider, { key: 'ArrowRight' });
  expect(slider).toHaveAttribute('aria-valuetext', 'Page 2: 4 people (100%), 6 plays');
});
