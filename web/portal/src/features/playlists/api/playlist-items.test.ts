/** Adding and removing playlist items while others change the playlist. */
import { http } from 'msw';
import { expect, test } from 'vitest';
import { playlist, problem, server } from '~/shared/testing/server.ts';
import { appendItem, appendItems, putBack, takeItem } from './playlist-items.ts';

interface Change {
  items: string[];
  timeModified: string;
}

/** A playlist that another person changes before each of the first `quicker` changes. */
function servePlaylist(items: string[], quicker = 0) {
  const state = { items, version: 0, sent: [] as Change[] };
  const time = () => `2026-11-20T00:00:${String(state.version).padStart(2, '0')}.000Z`;
  server.use(
    http.get('*/v1/playlists/p', () =>
      Response.json(playlist('p', 'Talks', { items: state.items, timeModified: time() })),
    ),
    http.patch('*/v1/playlists/p', async ({ request }) => {
      const { playlist: change } = (await request.json()) as { playlist: Change };
      state.sent.push(change);
      if (state.sent.length <= quicker) {
        state.items = [...state.items, `other${state.sent.length}`];
        state.version += 1;
      }
      if (change.timeModified !== time()) return problem(409, 'Changed');
      state.items = change.items;
      return Response.json(playlist('p', 'Talks', { items: state.items }));
    }),
  );
  return state;
}

test('an item is added to the end, only once', async () => {
  const state = servePlaylist(['a']);
  await appendItem('p', 'b');
  await appendItem('p', 'b');
  expect(state.sent).toEqual([{ items: ['a', 'b'], timeModified: '2026-11-20T00:00:00.000Z' }]);
});

test('several items are added by one call, and a known playlist is not read first', async () => {
  const state = servePlaylist(['a']);
  let reads = 0;
  server.events.on('request:start', ({ request }) => {
    if (request.method === 'GET') reads += 1;
  });
  const known = playlist('p', 'Talks', { items: ['a'], timeModified: '2026-11-20T00:00:00.000Z' });
  expect((await appendItems('p', ['b', 'a', 'c'], known)).items).toEqual(['a', 'b', 'c']);
  expect([reads, state.sent.length]).toEqual([0, 1]);
  await appendItems('p', ['d'], { ...known, timeModified: '2026-11-19T00:00:00.000Z' });
  expect(state.items).toEqual(['a', 'b', 'c', 'd']);
  expect(reads).toBe(1);
  server.events.removeAllListeners();
});

test('concurrent changes of another person are kept', async () => {
  const state = servePlaylist(['a'], 2);
  await appendItem('p', 'b');
  expect(state.items).toEqual(['a', 'other1', 'other2', 'b']);
});

test('a constantly changing playlist fails after five attempts', async () => {
  const state = servePlaylist(['a'], 9);
  await expect(appendItem('p', 'b')).rejects.toMatchObject({ status: 409 });
  expect(state.sent).toHaveLength(5);
});

test('any other refusal is not retried', async () => {
  servePlaylist(['a']);
  let tries = 0;
  server.use(
    http.patch('*/v1/playlists/p', () => {
      tries += 1;
      return problem(403, 'No');
    }),
  );
  await expect(takeItem('p', 'a')).rejects.toMatchObject({ status: 403 });
  expect(tries).toBe(1);
});

test('a removed item can be put back at its position', async () => {
  const state = servePlaylist(['a', 'b', 'c']);
  const before = await takeItem('p', 'b');
  expect([before, state.items]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c'],
  ]);
  await putBack('p', 'b', before);
  expect(state.items).toEqual(['a', 'b', 'c']);
  await putBack('p', 'never there', before);
  expect(state.sent).toHaveLength(2);
});
