/** Polling of items in processing: few at a time, at growing intervals; the list only when one is done. */
import { screen } from '@testing-library/react';
import type { ContentOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { content } from '~/shared/testing/content.ts';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { list, ORG, server } from '~/shared/testing/server.ts';
import { pauseOf } from './api/content-queries.ts';

const draft = content('d', 'Draft', { type: 'draft', processing: 'none' });
const video = content('f', 'Film', { kind: 'video', processing: 'running', progress: 10 });
const queued = ['1', '2', '3', '4'].map((uid) => content(uid, `Film ${uid}`, { kind: 'video', processing: 'queued' }));

test('items in processing are polled at growing intervals, drafts rarely', () => {
  const pauses = (item: ContentOut) => Array.from({ length: 12 }, (_, asked) => pauseOf(item, asked));
  expect(pauses(video).slice(0, 5)).toEqual([2000, 3000, 4500, 6750, 10_000]);
  expect(pauses(video).at(-1)).toBe(10_000);
  expect(pauses(draft).at(-1)).toBe(60_000);
  expect(pauseOf(content('r', 'Ready'), 0)).toBe(false);
});

test('four items are polled, drafts last; the list is refetched once one is done', async () => {
  const asked = { lists: 0, rows: [] as string[] };
  const state = { video };
  server.use(
    http.get('*/v1/content', () => {
      asked.lists += 1;
      return list([draft, state.video, ...queued, content('r', 'Ready')]);
    }),
    http.get('*/v1/content/:id', ({ params }) => {
      asked.rows.push(String(params.id));
      const other = [draft, ...queued].find(({ uid }) => uid === params.id);
      if (other !== undefined) return Response.json(other);
      if (asked.rows.filter((id) => id === 'f').length > 1)
        state.video = { ...video, processing: 'done', progress: null };
      else state.video = { ...video, progress: 60 };
      return Response.json(state.video);
    }),
  );
  renderAt(`/org/${ORG}/playlists?tab=all`);
  expect(await screen.findByText(/10 %/)).toBeVisible();
  expect(asked.rows).toEqual([]);
  expect(await screen.findByText(/60 %/)).toBeVisible();
  expect(asked.lists).toBe(1);
  await expect.poll(() => asked.lists).toBe(2);
  expect(screen.queryByText(/60 %/)).toBeNull();
  expect(new Set(asked.rows)).toEqual(new Set(['f', '1', '2', '3']));
});

test('an embedded video that was just added is polled until it has its poster', async () => {
  const added = { type: 'integration', kind: 'embed', previewUrl: '', timeModified: new Date().toISOString() } as const;
  const embed = content('e', 'Talk', added);
  expect(pauseOf(embed, 0)).toBe(2000);
  expect(pauseOf({ ...embed, timeModified: '2026-11-01T10:00:00.000Z' }, 0)).toBe(false);
  expect(pauseOf({ ...embed, previewUrl: 'http://127.0.0.1:8080/media/g/poster' }, 0)).toBe(false);
  let lists = 0;
  const ready = { ...embed, previewUrl: 'http://127.0.0.1:8080/media/g/poster' };
  server.use(
    http.get('*/v1/content', () => {
      lists += 1;
      return list([lists === 1 ? embed : ready]);
    }),
    http.get('*/v1/content/:id', () => Response.json(ready)),
  );
  renderAt(`/org/${ORG}/playlists?tab=all`);
  expect(await screen.findByText('Talk')).toBeVisible();
  await expect.poll(() => lists).toBe(2);
  expect(document.querySelector('article img')).toHaveAttribute('src', expect.stringContaining('/media/g/poster'));
});
