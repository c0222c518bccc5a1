import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { session } from '~/shared/session.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { progress, server } from '~/shared/testing/server.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('reports a visit, and reads what is new, when the app comes back after half an hour', async () => {
  const visits: string[] = [];
  const calls: string[] = [];
  server.use(
    http.post('*/v1/events', async ({ request }) => {
      const { events } = (await request.json()) as { events: { kind: string }[] };
      visits.push(...events.map(({ kind }) => kind).filter((kind) => kind === 'visit'));
      return HttpResponse.json({ accepted: 1, rejected: [] }, { status: 202 });
    }),
    http.get('*/v1/organizations/north/users/me/progress', () => {
      calls.push('read');
      return HttpResponse.json(progress());
    }),
    http.put('*/v1/organizations/north/users/me/progress', () => {
      calls.push('visited');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  signIn();
  openApp('/org/north');
  await screen.findByRole('heading', { name: 'All playlists' });
  await waitFor(() => expect(visits).toHaveLength(1));
  await waitFor(() => expect(calls).toContain('visited'));
  calls.length = 0;

  const began = session.now();
  const clock = vi.spyOn(session, 'now');
  const state = vi.spyOn(document, 'visibilityState', 'get');
  const away = (minutes: number) => {
    clock.mockReturnValue(began);
    state.mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    clock.mockReturnValue(began + minutes * 60_000);
    state.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
  };
  away(29);
  await new Promise((done) => setTimeout(done, 50));
  expect(visits).toHaveLength(1);
  expect(calls).toEqual([]);
  away(30);
  await waitFor(() => expect(visits).toHaveLength(2));
  await waitFor(() => expect(calls).toEqual(['read', 'visited']));
});
