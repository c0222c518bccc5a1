/** Tracking of watch time. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { BeatTracker, uuidv7 } from '@vitrine/player';
import { useMemo } from 'react';
import { isFollowed } from '~/features/organisations/model.ts';
import { session } from '~/shared/session.ts';
import { beatSink } from './outbox.ts';

const newId = () => uuidv7(session.now());

type Tracked = Pick<JoinedOrganisationOut, 'uid' | 'role'>;

/** Returns a new tracker for one item of a playlist; undefined for staff, who are not counted. */
export function trackerOf({ uid, role }: Tracked, contentId: string, playlistId: string): BeatTracker | undefined {
  if (!isFollowed({ role })) return undefined;
  return new BeatTracker({ contentId, playlistId, sink: beatSink(uid), now: session.now, newId });
}

/** Returns the tracker of an item while it is on screen. */
export function useTracker({ uid, role }: Tracked, contentId: string, playlistId: string): BeatTracker | undefined {
  return useMemo(() => trackerOf({ uid, role }, contentId, playlistId), [uid, role, contentId, playlistId]);
}
