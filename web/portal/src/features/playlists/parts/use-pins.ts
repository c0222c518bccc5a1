/** Pinning: which playlists are pinned, toggling one, changing their order. */
import { useQuery } from '@tanstack/react-query';
import type { PlaylistOut } from '@vitrine/api';
import { useState } from 'react';
import { organisationQuery, useChangeOrganisation } from '~/features/orgs/api/org-queries.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { policies } from '~/features/orgs/roles.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { togglePin } from '../model.ts';
import { playlistTexts } from '../texts.ts';

/** What the cards and the board need to know about pins. */
export interface Pins {
  pinned: readonly string[];
  /** Whether the person may change them. */
  editable: boolean;
  /** The playlist whose pin is being saved. */
  busy: string | null;
  toggle: (playlist: PlaylistOut) => void;
  reorder: (pinned: string[]) => void;
}

export function usePins(): Pins {
  const { orgId, can } = useCurrentOrg();
  const organisation = useQuery(organisationQuery(orgId));
  const change = useChangeOrganisation(orgId);
  const [busy, setBusy] = useState<string | null>(null);
  const saved = organisation.data?.pinnedPlaylists ?? [];
  // The new order shows while it is saved, and falls back by itself if that fails.
  const pinned = change.isPending ? (change.variables?.pinnedPlaylists ?? saved) : saved;
  const toggle = (playlist: PlaylistOut) => {
    const next = togglePin(pinned, playlist);
    if (next.kind === 'full') return toastFailure(playlistTexts.pinLimit);
    if (next.kind === 'notPublic') return;
    setBusy(playlist.uid);
    change.mutate({ pinnedPlaylists: next.pinned }, { onSettled: () => setBusy(null) });
  };
  return {
    pinned,
    editable: can(policies.organisationUpdate) && organisation.data !== undefined,
    busy,
    toggle,
    reorder: (order) => change.mutate({ pinnedPlaylists: order }),
  };
}
