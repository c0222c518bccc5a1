/** Content in playlists: each change reads the playlist first and is made again when somebody was quicker (G-81). */
import { answerOf, type PlaylistOut, type PlaylistPatch, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** Tries before somebody else's changes win. */
const TRIES = 5;

/** One playlist as it is now. */
export const readPlaylist = (id: string): Promise<PlaylistOut> =>
  answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } } }));

/** Changes fields of a playlist; with `timeModified` only if nobody changed it since then. */
export const changePlaylist = (id: string, playlist: PlaylistPatch): Promise<PlaylistOut> =>
  answerOf(api.PATCH('/v1/playlists/{id}', { params: { path: { id } }, body: { playlist } }));

/** Puts content at the end, where it is not in the playlist yet. */
export async function appendItem(playlistId: string, uid: string): Promise<void> {
  await withItems(playlistId, (items) => (items.includes(uid) ? items : [...items, uid]));
}

/** Takes content out; answers the order as it was. */
export function takeItem(playlistId: string, uid: string): Promise<string[]> {
  return withItems(playlistId, (items) => items.filter((item) => item !== uid));
}

/** Puts content back to where it was, among whatever else is there now. */
export async function putBack(playlistId: string, uid: string, before: readonly string[]): Promise<void> {
  const index = before.indexOf(uid);
  if (index === -1) return;
  await withItems(playlistId, (items) => (items.includes(uid) ? items : items.toSpliced(index, 0, uid)));
}

/** Answers the items as they were before the change. */
async function withItems(playlistId: string, change: (items: string[]) => string[]): Promise<string[]> {
  for (let tries = 1; ; tries += 1) {
    const { items, timeModified } = await readPlaylist(playlistId);
    const next = change(items);
    if (next.length === items.length) return items;
    try {
      await changePlaylist(playlistId, { items: next, timeModified });
      return items;
    } catch (error) {
      if (statusOf(error) !== 409 || tries === TRIES) throw error;
    }
  }
}
