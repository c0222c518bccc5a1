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

/** The top of the app's home: the pinned playlists, then the newest others. */
export interface HomePlaylists {
  pinned: readonly PlaylistOut[];
  others: readonly PlaylistOut[];
}

export const homePlaylistsQuery = ({ uid: orgId, pinnedPlaylists }: OrganisationOut) =>
  queryOptions({
    queryKey: ['org', orgId, 'playlists', 'home', pinnedPlaylists],
    queryFn: async ({ signal }): Promise<HomePlaylists> => {
      const query = { orgId, public: true, limit: SHOWN + pinnedPlaylists.length };
      const [newest, ...pins] = await Promise.all([
        listOf(api.GET('/v1/playlists', { params: { query }, signal })),
        ...pinnedPlaylists.map((id) => readPlaylist(id, signal)),
      ]);
      const pinned = pins.filter((playlist) => playlist !== null).filter(isShown);
      const others = newest.filter(({ uid }) => !pinned.some((pin) => pin.uid === uid));
      return { pinned: pinned.slice(0, SHOWN), others: others.slice(0, Math.max(0, SHOWN - pinned.length)) };
    },
  });
