/** Pinning: which playlists are pinned, toggling one, changing their order. */
import { useQuery } from '@tanstack/react-query';
import type { PlaylistOut } from '@vitrine/api';
import { useRef, useState } from 'react';
import { organisationQuery, useChangePins } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { inOrder, pinChange } from '../model.ts';
import { playlistTexts } from '../texts.ts';

/** What the cards and the board need to know about pins. */
export interface Pins {
  pinned: readonly string[];
  /** It is not known yet. */
  loading: boolean;
  /** Whether the person may change them. */
  editable: boolean;
  /** Whether the pin of this playlist is being saved. */
  busy: (uid: string) => boolean;
  toggle: (playlist: PlaylistOut) => void;
  reorder: (pinned: readonly string[]) => void;
}

/** A change that waits for its turn, or is being saved. */
interface Waiting {
  /** The playlist whose pin it is; null for a new order. */
  uid: string | null;
  /** Does nothing to a list it was done to already. */
  change: (pinned: readonly string[]) => string[];
}

/** Changes are saved one after the other, each on what the one before has left. */
export function usePins(): Pins {
  const { orgId, can } = useCurrentOrg();
  const organisation = useQuery(organisationQuery(orgId));
  const { mutateAsync } = useChangePins(orgId);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const saved = organisation.data?.pinnedPlaylists ?? [];
  // The new state shows while it is saved, and falls back by itself if that fails.
  const pinned = waiting.reduce<readonly string[]>((list, { change }) => change(list), saved);
  const busy = (uid: string) => waiting.some((one) => one.uid === uid);
  const save = (one: Waiting) => {
    setWaiting((all) => [...all, one]);
    last.current = last.current.then(async () => {
      // The mutation tells people what went wrong.
      await mutateAsync(one.change).catch(() => undefined);
      setWaiting((rest) => rest.filter((other) => other !== one));
    });
  };
  const toggle = (playlist: PlaylistOut) => {
    const { uid } = playlist;
    if (busy(uid)) return;
    const kind = pinChange(pinned, playlist);
    if (kind === 'full') return toastFailure(playlistTexts.pinLimit);
    if (kind === 'pin') save({ uid, change: (list) => (list.includes(uid) ? [...list] : [...list, uid]) });
    if (kind === 'unpin') save({ uid, change: (list) => list.filter((one) => one !== uid) });
  };
  return {
    pinned,
    loading: organisation.isPending,
    editable: can(policies.organisationUpdate) && organisation.data != null,
    busy,
    toggle,
    reorder: (order) => save({ uid: null, change: (list) => inOrder(list, order) }),
  };
}
