/** What the preview of the app shows. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, listOf, type OrganisationOut, type PlaylistOut } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';

/** More do not fit on the phone. */
const SHOWN = 3;

const readPlaylist = (id: string, signal: AbortSignal) =>
  answerOf(api.GET('/v1/playlists/{id}', { params: { path: { id } }, signal }));

/** The playlists at the top of the app's home: those that are pinned, or else the newest. */
export const homePlaylistsQuery = ({ uid: orgId, pinnedPlaylists }: OrganisationOut) =>
  queryOptions({
    queryKey: ['org', orgId, 'playlists', 'home', pinnedPlaylists],
    queryFn: async ({ signal }): Promise<{ pinned: boolean; playlists: PlaylistOut[] }> => {
      // One that was deleted meanwhile is left out, as in the app.
      const read = await Promise.allSettled(pinnedPlaylists.slice(0, SHOWN).map((id) => readPlaylist(id, signal)));
      const pinned = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      if (pinned.length > 0) return { pinned: true, playlists: pinned };
      const query = { orgId, limit: SHOWN };
      return { pinned: false, playlists: await listOf(api.GET('/v1/playlists', { params: { query }, signal })) };
    },
  });
