/** What a person sees and types stays while something is loaded again. */
import type { QueryClient } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { withItems } from '~/shared/testing/items.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { joinable, playlist, problem, progress, server } from '~/shared/testing/server.ts';

/** Loads everything again, and lets the screen show what came of it. */
async function loadAgain(client: QueryClient): Promise<void> {
  await act(() => client.refetchQueries());
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
}

const PROGRESS = '*/v1/organizations/north/users/me/progress';

describe('without the progress', () => {
  it('a playlist waits for it, although Home could not load it', async () => {
    signIn();
    withItems();
    server.use(http.get(PROGRESS, () => problem(403, 'Later')));
    openApp('/org/north');
    const card = await screen.findByRole('link', { name: /Playlist one/ });
    const places = [{ contentId: 'a', position: 61_000, length: 100_000, timeModified: '2026-11-20T12:00:00.000Z' }];
    server.use(
      http.get(PROGRESS, async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return HttpResponse.json({ ...progress, items: places });
      }),
    );
    await userEvent.click(card);
    expect(await screen.findByText(/^Resumed at 1:01/)).toBeVisible();
  });

  it('Home stays while it is asked for again', async () => {
    signIn();
    server.use(http.get(PROGRESS, () => problem(403, 'Later')));
    const { client } = openApp('/org/north');
    const card = await screen.findByRole('link', { name: /Playlist one/ });
    let asked = false;
    server.use(
      http.get(PROGRESS, () => {
        asked = true;
        return new Promise<never>(() => undefined);
      }),
    );
    act(() => void client.refetchQueries({ queryKey: ['progress'] }));
    await waitFor(() => expect(asked).toBe(true));
    expect(card).toBeVisible();
  });
});

it('details that are being edited stay if they cannot be loaded again', async () => {
  signIn();
  const { client } = openApp('/details');
  const field = await screen.findByLabelText('First name');
  await userEvent.clear(field);
  await userEvent.type(field, 'Grace');
  server.use(http.get('*/v1/profiles', () => problem(400, 'Not now')));
  await loadAgain(client);
  expect(field).toBeVisible();
  expect(field).toHaveValue('Grace');
});

it.each([
  ['/join/good', 'the invitation', () => screen.findByRole('button', { name: 'Join' })],
  ['/join/good/consent', 'the question', () => screen.findByRole('button', { name: 'Yes, I agree' })],
  ['/org/north/search?q=a', 'what was found', () => screen.findByRole('link', { name: /Playlist one/ })],
  [
    '/org/north/me',
    'the switch of the emails',
    () => screen.findByRole('switch', { name: 'Emails about what is new', checked: true }),
  ],
])('at %s, %s stays if nothing can be loaded again', async (path, _, part) => {
  signIn();
  server.use(
    http.get('*/v1/join/good', () => HttpResponse.json(joinable)),
    http.get('*/v1/viewer/search', () => HttpResponse.json({ playlists: [playlist('one')], items: [] })),
  );
  if (path.startsWith('/join')) {
    server.use(http.get('*/v1/viewer/organizations', () => HttpResponse.json({ data: [] })));
  }
  const { client } = openApp(path);
  const shown = await part();
  server.use(http.get('*', () => problem(400, 'Not now')));
  await loadAgain(client);
  expect(shown).toBeVisible();
});
