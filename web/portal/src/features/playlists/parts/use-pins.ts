/** Pinned playlists: state, toggling and reordering. */
import { useQuery } from '@tanstack/react-query';
import type { PlaylistOut } from '@vitrine/api';
import { useRef, useState } from 'react';
import { organisationQuery, useChangePins } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { inOrder, pinChange } from '../model.ts';
import { playlistTexts } from '../texts.ts';

/** The pins, as cards and board use them. */
export interface Pins {
  pinned: readonly string[];
  /** The pins are not loaded yet. */
  loading: boolean;
  /** Whether the person may change pins. */
  editable: boolean;
  /** Whether the pin of this playlist is being saved. */
  busy: (uid: string) => boolean;
  toggle: (playlist: PlaylistOut) => void;
  reorder: (pinned: readonly string[]) => void;
}

/** A change that is queued or being saved. */
interface Waiting {
  /** The toggled playlist; null for a reorder. */
  uid: string | null;
  /** Idempotent. */
  change: (pinned: readonly string[]) => string[];
}

/** Saves changes one after another, each based on the result of the previous one. */
export function usePins(): Pins {
  const { orgId, can } = useCurrentOrg();
  const organisation = useQuery(organisationQuery(orgId));
  const { mutateAsync } = useChangePins(orgId);
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const saved = organisation.data?.pinnedPlaylists ?? [];
  // Optimistic: shows pending changes, which disappear if saving fails.
  const pinned = waiting.reduce<readonly string[]>((list, { change }) => change(list), saved);
  const busy = (uid: string) => waiting.some((one) => one.uid === uid);
  const save = (one: Waiting) => {
    setWaiting((all) => [...all, one]);
    last.current = last.current.then(async () => {
      // The mutation shows the error.
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
