/** Single interactions: visits, downloads, contact taps. */
import type { JoinedOrganisationOut } from '@vitrine/api';
import { type Interaction, uuidv7 } from '@vitrine/player';
import { useEffect } from 'react';
import { isFollowed } from '~/features/organisations/model.ts';
import { session } from '~/shared/session.ts';
import { outbox } from './outbox.ts';

/** Reports a single interaction of an app user; those of staff are in no report. */
export function reportInteraction(
  organisation: JoinedOrganisationOut,
  kind: Interaction['kind'],
  about: { contentId?: string; playlistId?: string } = {},
): void {
  if (!isFollowed(organisation)) return;
  const now = session.now();
  outbox.add(organisation.uid, { kind, id: uuidv7(now), ...about, time: new Date(now).toISOString() }, true);
}

const visited = new Set<string>();

/** Reports a visit, once per page load and organisation. */
export function useVisit(organisation: JoinedOrganisationOut): void {
  const { uid } = organisation;
  useEffect(() => {
    if (visited.has(uid)) return;
    visited.add(uid);
    reportInteraction(organisation, 'visit');
  }, [uid, organisation]);
}
