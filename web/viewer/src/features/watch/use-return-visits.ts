/** A visit begins again when the app comes to the front after a while: an installed app is never loaded anew. */
import { useQueryClient } from '@tanstack/react-query';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { useEffect, useEffectEvent } from 'react';
import { session } from '~/shared/session.ts';
import { reportInteraction } from './interactions.ts';
import { beginVisit } from './progress.ts';

/** How long the app has to be in the background. */
const AWAY_MS = 30 * 60_000;

/** Reports visits to the organisation that is open, except the first one of a page load. */
export function useReturnVisits(organisation: JoinedOrganisationOut | undefined): void {
  const client = useQueryClient();
  const onReturn = useEffectEvent(() => {
    if (organisation === undefined) return;
    reportInteraction(organisation, 'visit');
    void beginVisit(client, organisation.uid);
  });
  useEffect(() => {
    let leftAt: number | null = null;
    const onChange = () => {
      const now = session.now();
      if (document.visibilityState === 'hidden') {
        leftAt = now;
        return;
      }
      if (leftAt !== null && now - leftAt >= AWAY_MS) onReturn();
      leftAt = null;
    };
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
}
