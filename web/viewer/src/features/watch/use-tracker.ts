/** Tracking of watch time. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { BeatTracker, uuidv7 } from '@vitrine/player';
import { useMemo } from 'react';
import { session } from '~/shared/session.ts';
import { beatSink } from './outbox.ts';

const newId = () => uuidv7(session.now());

type Tracked = Pick<JoinedOrganisationOut, 'uid'>;

/** Returns a new tracker for one item of a playlist. What staff watch is reported, too: the reports tell why it does not count. */
export function trackerOf({ uid }: Tracked, contentId: string, playlistId: string): BeatTracker {
  return new BeatTracker({ contentId, playlistId, sink: beatSink(uid), now: session.now, newId });
}

/** Returns the tracker of an item while it is on screen. */
export function useTracker({ uid }: Tracked, contentId: string, playlistId: string): BeatTracker {
  return useMemo(() => trackerOf({ uid }, contentId, playlistId), [uid, contentId, playlistId]);
}
