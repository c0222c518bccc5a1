/** Exports of people and leads: files made by the server. */
import { screen, waitFor } from '@testing-library/react';
import type { LeadOut } from '@vitrine/api';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, problem, profile, server } from '~/shared/testing/server.ts';

/** Records the files that are saved. */
function savedFiles() {
  const files: { name: string; file: Blob }[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    blobs.set('blob:file', file as Blob);
    return 'blob:file';
  });
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const file = blobs.get(this.href);
    if (file !== undefined) files.push({ name: this.download, file });
  });
  return files;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const csv = (text: string) => new HttpResponse(text, { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
const people = http.get('*/v1/organizations/:id/users', () => HttpResponse.json({ data: [], total: 0 }));

test('an export of people is asked for with its filter and saved as it is', async () => {
  const files = savedFiles();
  const asked: string[] = [];
  server.use(
    people,
    http.get('*/v1/organizations/:id/users/export', ({ request }) => {
      asked.push(new URL(request.url).search);
      return csv('"User type"\r\n');
    }),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'All users GDPR' }));
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['vitrine-users.csv']));
  expect(await files[0]?.file.text()).toBe('"User type"\r\n');
  expect(asked).toEqual(['?filter=gdpr']);
});

test('a refused export says why and saves nothing', async () => {
  const files = savedFiles();
  server.use(
    people,
    http.get('*/v1/organizations/:id/users/export', () => problem(409, 'You are exporting already.')),
  );
  const { user } = renderAt(`/org/${ORG}/users`);
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'All users' }));
  expect(await screen.findByText('You are exporting already.')).toBeVisible();
  expect(files).toEqual([]);
});

test('the export of leads is offered once their profiles have loaded', async () => {
  const files = savedFiles();
  const lead: LeadOut = {
    userId: profile.uid,
    orgId: ORG,
    score: 62,
    temperature: 'hot',
    lastModified: '',
    timeCreated: '',
  };
  let load: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  server.use(
    http.get('*/v1/analytics/leads', () =>
      HttpResponse.json({ data: [lead], counts: { total: 1, hot: 1, warm: 0, cold: 0 } }),
    ),
    http.get('*/v1/profiles/:ids', async () => {
      await loaded;
      return list([profile]);
    }),
    http.get('*/v1/analytics/leads/export', () => csv('"User Id"\r\n')),
  );
  const { user } = renderAt(`/org/${ORG}/leads`);
  expect(await screen.findByText('Total leads')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Download leads as .csv' })).toBeNull();
  load();
  await user.click(await screen.findByRole('button', { name: 'Download leads as .csv' }));
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['northwind-leads.csv']));
});

test('the export of leads waits for the profiles of every page', async () => {
  const lead = (n: number): LeadOut => ({
    userId: `person-${n}`,
    orgId: ORG,
    score: 99 - n,
    temperature: 'hot',
    lastModified: '',
    timeCreated: '',
  });
  let load: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  const counts = { total: 12, hot: 12, warm: 0, cold: 0 };
  server.use(
    http.get('*/v1/analytics/leads', ({ request }) => {
      const after = new URL(request.url).searchParams.get('startAfter');
      const data = after === null ? Array.from({ length: 11 }, (_, n) => lead(n)) : [lead(11)];
      return HttpResponse.json({ data, counts });
    }),
    http.get('*/v1/profiles/:ids', async ({ params: { ids } }) => {
      if (String(ids) === 'person-11') await loaded;
      return list(
        String(ids)
          .split(';')
          .map((uid) => ({ ...profile, uid })),
      );
    }),
  );
  const { user } = renderAt(`/org/${ORG}/leads`);
  const link = { name: 'Download leads as .csv' };
  expect(await screen.findByRole('button', link)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(screen.queryByRole('button', link)).toBeNull());
  load();
  expect(await screen.findByRole('button', link)).toBeVisible();
});
