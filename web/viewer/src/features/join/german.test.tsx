/** Joining in German: the translated notice and the labels of the option lists. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { businessAreas, jobTitles } from '@vitrine/api/options';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { notices } from '~/languages/de-notices.ts';
import * as options from '~/languages/de-options.ts';
import { loadLanguage } from '~/shared/language.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joinable, joined, profile, server } from '~/shared/testing/server.ts';

const folder = resolve(import.meta.dirname, '../../../../../crates/audience/src/notice');
const version = (readdirSync(folder).toSorted().at(-1) ?? '').replace('.txt', '');
const english = readFileSync(resolve(folder, `${version}.txt`), 'utf8');

beforeEach(async () => {
  await loadLanguage('de');
  signIn();
  server.use(
    http.get('*/v1/profiles', () => HttpResponse.json(profile({ firstName: 'Ann', lastName: 'Lee' }))),
    http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })),
    http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, notice: { version, text: english } })),
  );
});

it('has the current notice, and the wording of a version stays', () => {
  const translation = (notices as Record<string, string>)[version] ?? '';
  expect(translation.split('\n\n')).toHaveLength(english.trim().split('\n\n').length);
  const known = { '2026-11-20': '9691789073f6833fb758cc816a9371386c4c31b3f60c488e08fb6d0a4495d22a' };
  const digests = Object.entries(notices).map(([of, text]) => [of, createHash('sha256').update(text).digest('hex')]);
  expect(Object.fromEntries(digests)).toEqual(known);
});

it('asks in German, keeps the English text at hand, and records its version', async () => {
  const answers: unknown[] = [];
  server.use(
    http.post('*/v1/join/good', async ({ request }) => {
      answers.push(await request.json());
      return HttpResponse.json({ organisation: joined() }, { status: 201 });
    }),
  );
  openApp('/join/good/consent');
  expect(await screen.findByRole('heading', { name: /^Darf diese Organisation sehen/ })).toBeVisible();
  expect(screen.getByText(/^Wenn du nicht zustimmst/)).toBeVisible();
  expect(screen.getByText('Dies ist eine Übersetzung. Verbindlich ist der englische Text.')).toBeVisible();
  const binding = screen.getByText(/^If you say no/);
  expect(binding).not.toBeVisible();
  await userEvent.click(screen.getByText('Englischen Text lesen'));
  expect(binding).toBeVisible();
  expect(screen.getByText(/^May this organisation see/)).toHaveAttribute('lang', 'en');
  await userEvent.click(screen.getByRole('button', { name: 'Ja, ich stimme zu' }));
  await expect.poll(() => answers).toEqual([{ consent: true, noticeVersion: version }]);
});

it('shows a version without a translation in English, without a remark', async () => {
  const notice = { version: '2099-01-01', text: 'A newer text?\n\nIt says more.' };
  server.use(http.get('*/v1/join/good', () => HttpResponse.json({ ...joinable, notice })));
  openApp('/join/good/consent');
  expect(await screen.findByText('It says more.')).toHaveAttribute('lang', 'en');
  expect(screen.queryByText(/Übersetzung/)).toBeNull();
});

it('labels every job title and business area, and stores the English value', async () => {
  expect(Object.keys(options.jobTitles)).toEqual(jobTitles);
  expect(Object.keys(options.businessAreas)).toEqual(businessAreas);
  const sent: unknown[] = [];
  server.use(
    http.patch('*/v1/profiles', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(profile({ firstName: 'Ann', lastName: 'Lee' }));
    }),
  );
  openApp('/details');
  const jobs = await screen.findByRole('combobox', { name: 'Position' });
  const labels = [...jobs.querySelectorAll('option')].map((option) => option.textContent);
  expect(labels.slice(0, 4)).toEqual(['Auswählen …', 'Abteilungsleiter/in', 'Account Executive', 'Administrator/in']);
  expect(labels.slice(-2)).toEqual(['Sonstiges', 'Nicht zutreffend']);
  await userEvent.selectOptions(jobs, 'Geschäftsführer/in');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Branche' }), 'Essen und Trinken');
  await userEvent.click(screen.getByRole('button', { name: 'Speichern' }));
  await expect
    .poll(() => sent)
    .toEqual([{ user: expect.objectContaining({ jobTitle: 'Managing Director', businessArea: 'Food and Drink' }) }]);
});
