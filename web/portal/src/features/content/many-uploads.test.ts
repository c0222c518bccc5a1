/** Sixty small files at once, against a rate-limited server that counts calls. */

import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { http } from 'msw';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { session } from '~/shared/api/session.ts';
import { tokenOf } from '~/shared/testing/identity.ts';
import { ORG, playlist, problem, server } from '~/shared/testing/server.ts';
import { putFile } from '~/shared/upload/put.ts';
import { uploads, useUploadOwner } from './api/upload-queue.ts';

vi.mock('~/shared/upload/hash.ts', () => ({ hashFile: async (file: File) => `md5 of ${file.name}` }));
vi.mock('~/shared/upload/put.ts', () => ({ putFile: vi.fn() }));

afterEach(() => uploads.belongTo(''));

/** Accepts a number of calls and answers others with 429 for a second; then it accepts calls again. */
function counting(limit: number) {
  const state = { calls: 0, refused: 0, items: [] as string[], arrived: new Set<string>(), version: 0, deleted: 0 };
  const window = { refusedAt: Number.POSITIVE_INFINITY, calls: 0 };
  const limited = (act: (request: Request) => Response | Promise<Response>) => {
    return ({ request }: { request: Request }) => {
      state.calls += 1;
      if (Date.now() - window.refusedAt >= 1000)
        Object.assign(window, { refusedAt: Number.POSITIVE_INFINITY, calls: 0 });
      window.calls += 1;
      if (window.calls <= limit) return act(request);
      window.refusedAt = Math.min(window.refusedAt, Date.now());
      state.refused += 1;
      return Response.json({ message: 'Too many requests.' }, { status: 429, headers: { 'Retry-After': '1' } });
    };
  };
  const current = () =>
    playlist('p', 'Talks', { items: state.items, timeModified: new Date(state.version).toISOString() });
  server.use(
    http.get(
      '*/v1/playlists/p',
      limited(() => Response.json(current())),
    ),
    http.patch(
      '*/v1/playlists/p',
      limited(async (request) => {
        const { playlist: change } = (await request.json()) as { playlist: { items: string[]; timeModified: string } };
        if (change.timeModified !== current().timeModified) return problem(409, 'Changed');
        state.items = change.items;
        state.version += 1;
        return Response.json(current());
      }),
    ),
    http.post(
      '*/v1/content',
      limited(async (request) => {
        const { file } = (await request.json()) as { file: { name: string } };
        const ingest = { url: `http://127.0.0.1:8080/v1/ingest/${file.name}`, path: '/x' };
        return Response.json({ uid: file.name, status: 'pending', ingest }, { status: 201 });
      }),
    ),
    http.delete('*/v1/content/:uid', () => {
      state.deleted += 1;
      return new Response(null, { status: 204 });
    }),
  );
  vi.mocked(putFile).mockImplementation(async ({ url }) => {
    state.calls += 1;
    const uid = url.split('/').at(-1) ?? '';
    expect(state.arrived.has(uid)).toBe(false);
    state.arrived.add(uid);
    return { uid, status: 'available' };
  });
  return state;
}

test('all arrive without Retry, with at most three calls per file', async () => {
  session.save(tokenOf('ada'));
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  renderHook(useUploadOwner, { wrapper });
  const state = counting(15);
  const content = { title: 'T', description: '', previewUrl: '', privacy: 'public' as const };
  uploads.add(
    Array.from({ length: 60 }, (_, index) => ({
      file: new File(['x'], `${index}.txt`),
      job: { kind: 'new', orgId: ORG, playlistId: 'p', content, notifyUsers: false },
    })),
  );
  const failed = vi.fn();
  uploads.subscribe(() => {
    if (uploads.snapshot().some((entry) => entry.state.step === 'failed' || entry.state.step === 'unfinished'))
      failed();
  });
  const done = () => uploads.snapshot().filter((entry) => entry.state.step === 'done').length;
  await expect.poll(done, { timeout: 50_000 }).toBe(60);
  expect(failed).not.toHaveBeenCalled();
  expect(state.refused).toBeGreaterThan(0);
  expect(state.deleted).toBe(0);
  expect(new Set(state.items).size).toBe(60);
  expect(state.items).toHaveLength(60);
  expect(state.calls - state.refused).toBeLessThanOrEqual(180);
});
