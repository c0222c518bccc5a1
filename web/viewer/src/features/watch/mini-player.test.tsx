import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { fakeMedia } from '~/shared/testing/media.ts';
import { openApp, signIn } from '~/shared/testing/open-app.tsx';
import { content, joined, playlist, progress, server } from '~/shared/testing/server.ts';

interface Beat {
  kind: string;
  viewId: string;
  seq: number;
  state: string;
}

const TIME = '2026-11-20T06:41:00.000Z';

let beats: Beat[] = [];

beforeEach(() => {
  fakeMedia();
  beats = [];
  const items = [
    content('song', { kind: 'audio', title: 'The song' }),
    content('sheet', { title: 'The sheet' }),
    content('coda', { kind: 'audio', title: 'The coda' }),
  ];
  server.use(
    http.get('*/v1/viewer/organizations', () =>
      HttpResponse.json({ data: [joined(), joined({ uid: 'south', name: 'Southwind' })] }),
    ),
    http.get('*/v1/playlists/one', () => HttpResponse.json(playlist('one'))),
    http.get('*/v1/playlists/one/content', () => HttpResponse.json({ data: items })),
    http.post('*/v1/events', async ({ request }) => {
      const { events } = (await request.json()) as { events: Beat[] };
      beats.push(...events.filter(({ kind }) => kind === 'beat'));
      return HttpResponse.json({ accepted: 1, rejected: [] }, { status: 202 });
    }),
  );
});

const media = () => document.querySelector<HTMLMediaElement>('audio');
const mini = () => screen.findByRole('region', { name: 'Mini player' });

async function open() {
  signIn();
  const app = openApp('/org/north/playlists/one');
  await waitFor(() => expect(media()).toBeInTheDocument());
  const element = media() as HTMLMediaElement;
  return { ...app, element };
}

/** Plays, and leaves to Home by the breadcrumb. */
async function leaveWhilePlaying() {
  const app = await open();
  await app.element.play();
  const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  await userEvent.click(trail.getByRole('link', { name: 'Home' }));
  await screen.findByRole('link', { name: /Playlist one/ });
  return app;
}

it('continues in a small player when the page is left, and back on its page, as one view', async () => {
  const { element, address } = await leaveWhilePlaying();
  const region = within(await mini());
  expect(media()).toBe(element);
  expect(element.paused).toBe(false);
  await userEvent.click(region.getByRole('button', { name: 'Pause The song' }));
  expect(element.paused).toBe(true);
  await userEvent.click(await region.findByRole('button', { name: 'Play The song' }));
  expect(element.paused).toBe(false);
  await userEvent.click(region.getByRole('link', { name: 'Back to The song' }));
  expect(await screen.findByRole('heading', { name: 'The song' })).toBeVisible();
  expect(address()).toBe('/app/org/north/playlists/one?item=song');
  expect(screen.queryByRole('region', { name: 'Mini player' })).toBeNull();
  expect(media()).toBe(element);
  expect(element.paused).toBe(false);
  await waitFor(() => expect(beats.map(({ state }) => state)).toEqual(['playing', 'paused', 'playing']));
  expect(new Set(beats.map(({ viewId }) => viewId)).size).toBe(1);
  expect(beats.map(({ seq }) => seq)).toEqual([0, 1, 2]);
});

it('continues while another item that does not play is read', async () => {
  const { element } = await open();
  await element.play();
  await userEvent.click(screen.getByRole('link', { name: 'Next' }));
  expect(await screen.findByRole('heading', { name: 'The sheet' })).toBeVisible();
  expect(await mini()).toBeVisible();
  expect(media()).toBe(element);
});

it('plays the next audio without its page, as a separate view', async () => {
  const { element, address } = await leaveWhilePlaying();
  const region = within(await mini());
  const before = address();
  await userEvent.click(region.getByRole('button', { name: 'Next: The coda' }));
  await waitFor(() => expect(media()).not.toBe(element));
  expect(media()).toHaveAttribute('autoplay');
  expect(address()).toBe(before);
  await media()?.play();
  await userEvent.click(await region.findByRole('button', { name: 'Pause The coda' }));
  expect(region.queryByRole('button', { name: /^Next/ })).toBeNull();
  await waitFor(() => expect(beats.map(({ state }) => state)).toEqual(['playing', 'paused', 'playing', 'paused']));
  expect(new Set(beats.map(({ viewId }) => viewId)).size).toBe(2);
  await userEvent.click(region.getByRole('link', { name: 'Back to The coda' }));
  expect(await screen.findByRole('heading', { name: 'The coda' })).toBeVisible();
});

it('leaves nothing behind when nothing plays', async () => {
  await open();
  const trail = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  await userEvent.click(trail.getByRole('link', { name: 'Home' }));
  await screen.findByRole('link', { name: /Playlist one/ });
  await waitFor(() => expect(media()).toBeNull());
  expect(screen.queryByRole('region', { name: 'Mini player' })).toBeNull();
});

it('is operated and closed by keyboard, and the focus continues at the screen', async () => {
  await leaveWhilePlaying();
  const region = within(await mini());
  // Nothing of the docked player is reached.
  expect(media()?.closest('[inert]')).toBeInTheDocument();
  region.getByRole('button', { name: 'Pause The song' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(await region.findByRole('button', { name: 'Play The song' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await userEvent.tab();
  expect(region.getByRole('button', { name: 'Next: The coda' })).toHaveFocus();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(media()).toBeNull());
  expect(screen.getByRole('main')).toHaveFocus();
  await waitFor(() => expect(beats.at(-1)).toMatchObject({ state: 'paused' }));
});

it('starts over with a new player, even while the old one plays', async () => {
  const begun = { contentId: 'song', playlistId: 'one', position: 60_000, length: 90_000, seen: false, time: TIME };
  server.use(
    http.get('*/v1/organizations/north/users/me/progress', () => HttpResponse.json(progress({ items: [begun] }))),
  );
  const { element } = await open();
  await element.play();
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  await waitFor(() => expect(media()).not.toBe(element));
  expect(media()).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Mini player' })).toBeNull();
});

it('ends when another organization is chosen', async () => {
  await leaveWhilePlaying();
  await mini();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Organization' }), 'south');
  await waitFor(() => expect(media()).toBeNull());
  expect(screen.queryByRole('region', { name: 'Mini player' })).toBeNull();
});

it('ends at sign-out, with its last beat sent as the person who watched', async () => {
  await leaveWhilePlaying();
  await mini();
  await userEvent.click(screen.getByRole('link', { name: 'Me' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(media()).toBeNull();
  expect(beats.map(({ state }) => state)).toEqual(['playing', 'paused']);
});
