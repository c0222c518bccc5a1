/** Content in playlists: each change is made on the newest state, and made again when somebody was quicker. */
import { answerOf, type PlaylistOut, type PlaylistPatch, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** Tries before somebody else's changes win. */
const TRIES = 5;

/** Where one playlist is cached. */
export const playlistKey = (orgId: string, playlistId: string) => ['org', orgId, 'playlist', playlistId] as const;

/** One playlist as it is now. */
export const readPlaylist = (id: string): Promise<PlaylistOut> =>
  answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } } }));

/** Changes fields of a playlist; with `timeModified` only if nobody changed it since then. */
export const changePlaylist = (id: string, playlist: PlaylistPatch): Promise<PlaylistOut> =>
  answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id } }, body: { playlist } }));

/** Puts content at the end, where it is not in the playlist yet. */
export async function appendItem(playlistId: string, uid: string): Promise<void> {
  await appendItems(playlistId, [uid]);
}

/**
 * Puts several items at the end, leaving out those that are in the playlist already, and returns the playlist as it is
 * then. A playlist the caller knows is not read first; should it have changed, the server says so.
 */
export async function appendItems(
  playlistId: string,
  uids: readonly string[],
  known?: PlaylistOut,
): Promise<PlaylistOut> {
  const add = (items: string[]) => [...items, ...uids.filter((uid) => !items.includes(uid))];
  return (await withItems(playlistId, add, known)).now;
}

/** Takes content out; answers the order as it was. */
export async function takeItem(playlistId: string, uid: string): Promise<string[]> {
  return (await withItems(playlistId, (items) => items.filter((item) => item !== uid))).before;
}

/** Puts content back to where it was, among whatever else is there now. */
export async function putBack(playlistId: string, uid: string, before: readonly string[]): Promise<void> {
  const index = before.indexOf(uid);
  if (index === -1) return;
  await withItems(playlistId, (items) => (items.includes(uid) ? items : items.toSpliced(index, 0, uid)));
}

/** Answers the items as they were before the change, and the playlist after it. */
async function withItems(playlistId: string, change: (items: string[]) => string[], known?: PlaylistOut) {
  let seen = known ?? (await readPlaylist(playlistId));
  for (let tries = 1; ; tries += 1) {
    const { items, timeModified } = seen;
    const next = change(items);
    if (next.length === items.length) return { before: items, now: seen };
    try {
      return { before: items, now: await changePlaylist(playlistId, { items: next, timeModified }) };
    } catch (error) {
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
      seen = await readPlaylist(playlistId);
    }
  }
}
