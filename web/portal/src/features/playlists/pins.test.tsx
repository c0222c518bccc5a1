/** Pinned playlists: limit, order and refusals. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { PlaylistOut } from '@vitrine/api';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { renderAt } from '~/shared/testing/render-at.tsx';
import { belongsTo, list, membership, ORG, organisation, playlist, problem, server } from '~/shared/testing/server.ts';

const all = ['a', 'b', 'c', 'd', 'e'].map((uid) => playlist(uid, `List ${uid}`));

interface Patch {
  organisation: { pinnedPlaylists: string[] };
}

/** An organisation with these pins; a save waits until released, and is then accepted or refused. */
function pinning(pinned: string[], playlists: PlaylistOut[] = all) {
  let stored = pinned;
  const sent: string[][] = [];
  const held: ((refusal?: Response) => void)[] = [];
  server.use(
    http.get('*/v1/playlists', () => list(playlists)),
    http.get('*/v1/playlists/:id', ({ params }) => {
      const found = playlists.find(({ uid }) => uid === params.id);
      return found === undefined ? problem(403, 'No') : Response.json(found);
    }),
    http.get('*/v1/organizations', () => list([{ ...organisation, pinnedPlaylists: stored }])),
    http.patch(`*/v1/organizations/${ORG}`, async ({ request }) => {
      const body = (await request.json()) as Patch;
      sent.push(body.organisation.pinnedPlaylists);
      const refusal = await new Promise<Response | undefined>((letGo) => held.push(letGo));
      if (refusal !== undefined) return refusal;
      stored = body.organisation.pinnedPlaylists;
      return Response.json({ ...organisation, pinnedPlaylists: stored });
    }),
  );
  return {
    sent,
    letGo: async (index: number, refusal?: Response) => {
      await waitFor(() => expect(held.length).toBeGreaterThan(index));
      held[index]?.(refusal);
    },
  };
}

const open = () => renderAt(`/org/${ORG}/playlists`);
const board = () => screen.findByRole('region', { name: 'Pinned playlists' });
const grid = () => screen.getByRole('region', { name: 'All playlists' });
const pin = (title: string) => within(grid()).getByRole('button', { name: `Pin ${title}` });
const isBusy = (title: string) => pin(title).hasAttribute('data-loading');
const order = async () =>
  within(await board())
    .queryAllByRole('link')
    .map(({ textContent }) => textContent);

test('without pins it says so, and how many are possible', async () => {
  pinning([]);
  open();
  expect(within(await board()).getByText('No pinned playlists!')).toBeVisible();
  expect(screen.getByText('You can pin 4 more playlists')).toBeVisible();
});

test('a pinned playlist already in the list shows at once', async () => {
  const { letGo } = pinning(['a']);
  server.use(http.get('*/v1/playlists/:id', () => new Promise<Response>(() => undefined)));
  const { user } = open();
  await waitFor(async () => expect(await order()).toEqual(['List a']));
  await user.click(pin('List b'));
  expect(await order()).toEqual(['List a', 'List b']);
  await letGo(0);
});

test('the empty state does not show while a pinned playlist is loading', async () => {
  pinning(['older']);
  let answer: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/v1/playlists/older', async () => {
      await waiting;
      return Response.json(playlist('older', 'Older than the list'));
    }),
  );
  open();
  const region = within(await board());
  expect(region.queryByText('No pinned playlists!')).toBeNull();
  answer();
  expect(await region.findByRole('link', { name: 'Older than the list' })).toBeVisible();
});

test.each([
  [['a'], 'You can pin 3 more playlists'],
  [['a', 'b', 'c'], 'You can pin 1 more playlists'],
  [['d', 'c', 'b', 'a'], 'You can pin 0 more playlists'],
])('%j pinned: shows them in order, and how many more are possible', async (pinned, sentence) => {
  pinning(pinned);
  open();
  expect(await screen.findByText(sentence)).toBeVisible();
  await waitFor(async () => expect(await order()).toEqual(pinned.map((uid) => `List ${uid}`)));
});

test('pinning and unpinning send the whole list; each card shows its own progress and ignores a second click', async () => {
  const { sent, letGo } = pinning(['a', 'b']);
  const { user } = open();
  await board();
  await user.click(pin('List c'));
  expect([isBusy('List c'), isBusy('List a')]).toEqual([true, false]);
  await user.click(pin('List a'));
  expect([isBusy('List c'), isBusy('List a'), isBusy('List d')]).toEqual([true, true, false]);
  fireEvent.click(pin('List c'));
  await waitFor(() => expect(sent).toEqual([['a', 'b', 'c']]));
  await letGo(0);
  await waitFor(() => expect(isBusy('List c')).toBe(false));
  expect(isBusy('List a')).toBe(true);
  await letGo(1);
  await waitFor(() => expect(isBusy('List a')).toBe(false));
  expect(sent).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
  ]);
  expect(await order()).toEqual(['List b', 'List c']);
});

test('the pins of another person stay: the change applies to the current list', async () => {
  const changes: unknown[] = [];
  let stored = { ...organisation, pinnedPlaylists: ['a'] };
  pinning([]);
  server.use(
    http.get('*/v1/organizations', () => list([stored])),
    http.patch(`*/v1/organizations/${ORG}`, async ({ request }) => {
      const { organisation: change } = (await request.json()) as { organisation: Partial<typeof stored> };
      changes.push(change);
      if (change.timeModified !== stored.timeModified) return problem(409, 'Changed');
      stored = { ...stored, ...change, timeModified: '2026-11-03T00:00:00.000Z' };
      return Response.json(stored);
    }),
  );
  const { user } = open();
  await waitFor(async () => expect(await order()).toEqual(['List a']));
  stored = { ...stored, pinnedPlaylists: ['a', 'd'], timeModified: '2026-11-02T00:00:00.000Z' };
  await user.click(pin('List b'));
  await waitFor(async () => expect(await order()).toEqual(['List a', 'List d', 'List b']));
  expect(changes).toEqual([
    { pinnedPlaylists: ['a', 'b'], timeModified: organisation.timeModified },
    { pinnedPlaylists: ['a', 'd', 'b'], timeModified: '2026-11-02T00:00:00.000Z' },
  ]);
});

test('a refused pin is reverted with the message, without affecting others', async () => {
  const { sent, letGo } = pinning(['a']);
  const { user } = open();
  await board();
  await user.click(pin('List c'));
  await user.click(pin('List b'));
  expect(await order()).toEqual(['List a', 'List c', 'List b']);
  await letGo(0, problem(400, 'Only public playlists can be pinned.'));
  expect(await screen.findByText('Only public playlists can be pinned.')).toBeVisible();
  await letGo(1);
  await waitFor(async () => expect(await order()).toEqual(['List a', 'List b']));
  expect(sent).toEqual([
    ['a', 'c'],
    ['a', 'b'],
  ]);
});

test('a playlist that is not public cannot be pinned, but can be unpinned', async () => {
  const hidden = [
    playlist('u', 'Unlisted one', { privacy: 'unlisted' }),
    playlist('p', 'Private', { privacy: 'private' }),
  ];
  const { sent, letGo } = pinning(['p'], [...all, ...hidden]);
  const { user } = open();
  await board();
  expect(pin('Unlisted one')).toHaveAttribute('aria-disabled', 'true');
  await user.click(pin('Unlisted one'));
  expect(pin('Private')).toHaveAttribute('aria-disabled', 'false');
  await user.click(pin('Private'));
  await letGo(0);
  expect(await screen.findByText('No pinned playlists!')).toBeVisible();
  expect(sent).toEqual([[]]);
});

test('the arrow keys change the order, and a pinned playlist that could not be loaded stays pinned', async () => {
  const { sent, letGo } = pinning(['gone', 'a', 'b', 'c']);
  open();
  await waitFor(async () => expect(await order()).toEqual(['List a', 'List b', 'List c']));
  const handle = within(await board()).getByRole('button', { name: /^Move List c/ });
  fireEvent.keyDown(handle, { key: 'ArrowLeft' });
  expect(screen.getByText('List c: position 2 of 3')).toBeInTheDocument();
  expect(await order()).toEqual(['List a', 'List c', 'List b']);
  await letGo(0);
  await waitFor(() => expect(sent).toEqual([['a', 'c', 'b', 'gone']]));
});

test('a team leader sees what is pinned and cannot change it', async () => {
  pinning(['a', 'b']);
  server.use(belongsTo(membership('teamLeader')));
  open();
  const region = await board();
  await waitFor(() => expect(within(region).getAllByRole('img', { name: 'Pinned' })).toHaveLength(2));
  expect(within(region).queryByRole('button')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Pin List/ })).toBeNull();
  expect(screen.queryByText(/^You can pin/)).toBeNull();
});
