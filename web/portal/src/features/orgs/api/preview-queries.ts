/** What the preview of the app shows. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, listOf, type OrganisationOut, type PlaylistOut, type Privacy, statusOf } from '@vitrine/api';
import { api } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';

/** How many of the newest are read in search of those that the app shows now. */
const READ = 20;

/** The app shows only public ones, between their dates. */
function isShown({ privacy, publishAt, expireAt }: PlaylistOut): boolean {
  const now = session.now();
  const begun = typeof publishAt !== 'string' || Date.parse(publishAt) <= now;
  return privacy === 'public' && begun && (typeof expireAt !== 'string' || Date.parse(expireAt) > now);
}

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
      const query = { orgId, public: true, limit: READ };
      const [newest, ...pins] = await Promise.all([
        listOf(api.GET('/v1/playlists', { params: { query }, signal })),
        ...pinnedPlaylists.map((id) => readPlaylist(id, signal)),
      ]);
      const pinned = pins.filter((playlist) => playlist !== null).filter(isShown);
      const others = newest.filter(isShown).filter(({ uid }) => !pinned.some((pin) => pin.uid === uid));
      return { pinned, others };
    },
  });

/** Playlists that the joining page shows. */
const GLIMPSE = 4;

/** Returns what people see before they join, which is nothing if the organisation is closed. */
export function glimpseOf(privacy: Privacy, { pinned, others }: HomePlaylists) {
  if (privacy !== 'public') return [];
  return [...pinned, ...others]
    .map(({ title, previewUrl, stats }) => ({ title, previewUrl, contentCount: stats.contentCount }))
    .filter(({ contentCount }) => contentCount > 0)
    .slice(0, GLIMPSE);
}
