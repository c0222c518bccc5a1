/** What the preview of the app shows. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, listOf, type OrganisationOut, type PlaylistOut, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** More do not fit on the phone. */
const SHOWN = 3;

/** The app shows only public ones. */
const isShown = ({ privacy }: PlaylistOut) => privacy === 'public';

/** Returns null for a playlist that was deleted meanwhile, which the app leaves out. */
const readPlaylist = (id: string, signal: AbortSignal): Promise<PlaylistOut | null> =>
  answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } }, signal })).catch((error: unknown) => {
    if (statusOf(error) === 404) return null;
    throw error;
  });

/** The playlists at the top of the app's home: those that are pinned, or else the newest. */
export const homePlaylistsQuery = ({ uid: orgId, pinnedPlaylists }: OrganisationOut) =>
  queryOptions({
    queryKey: ['org', orgId, 'playlists', 'home', pinnedPlaylists],
    queryFn: async ({ signal }): Promise<{ pinned: boolean; playlists: PlaylistOut[] }> => {
      const read = await Promise.all(pinnedPlaylists.map((id) => readPlaylist(id, signal)));
      const pinned = read.filter((playlist) => playlist !== null).filter(isShown);
      if (pinned.length > 0) return { pinned: true, playlists: pinned.slice(0, SHOWN) };
      const all = await listOf(api.GET('/v1/playlists', { params: { query: { orgId, limit: 100 } }, signal }));
      return { pinned: false, playlists: all.filter(isShown).slice(0, SHOWN) };
    },
  });
