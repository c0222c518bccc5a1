/** Reacts to sign-in and sign-out in this tab, in another tab, or at the server. */
import { forgetOthersBrand } from '~/features/organisations/last-brand.ts';
import { showBadge } from '~/features/watch/badge.ts';
import { isOwnPath } from '~/shared/lib/next-path.ts';
import { forgetOthers } from '~/shared/seen-last.ts';
import { session } from '~/shared/session.ts';
import type { createAppRouter } from './router.tsx';

/**
 * Keeps screens and session in step; returns a function that stops it. `restart` remounts every screen, so that no data
 * of the previous person remains. The route guards decide where to go.
 */
export function followSession(router: ReturnType<typeof createAppRouter>, restart: () => void): () => void {
  const { client } = router.options.context;
  forgetOthers();
  forgetOthersBrand();
  let person = session.person();
  return session.subscribe(() => {
    const before = person;
    person = session.person();
    if (before === person) return;
    forgetOthers();
    if (person === null) {
      showBadge(0);
      // Leave first: mounted screens would refetch the cleared queries while signed out.
      void router.invalidate().finally(() => client.clear());
      return;
    }
    forgetOthersBrand();
    if (before !== null) {
      client.clear();
      // The sign-in pages navigate on their own after signing in.
      if (isOwnPath(router.latestLocation.pathname)) restart();
    }
    void router.invalidate();
  });
}
