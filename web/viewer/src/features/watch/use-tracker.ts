/** Tracking of watch time. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { BeatTracker, uuidv7 } from '@vitrine/player';
import { useMemo } from 'react';
import { isFollowed } from '~/features/organisations/model.ts';
import { session } from '~/shared/session.ts';
import { beatSink } from './outbox.ts';

const newId = () => uuidv7(session.now());

/** Returns a tracker for one item of a playlist; undefined for staff, who are not counted. */
export function useTracker(
  organisation: JoinedOrganisationOut,
  contentId: string,
  playlistId: string,
): BeatTracker | undefined {
  const { uid } = organisation;
  const followed = isFollowed(organisation);
  return useMemo(() => {
    if (!followed) return undefined;
    return new BeatTracker({ contentId, playlistId, sink: beatSink(uid), now: session.now, newId });
  }, [followed, uid, contentId, playlistId]);
}
