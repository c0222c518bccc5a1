/** What the app does when another person, or nobody, is signed in: here, in another tab, or by the server's word. */
import { isOwnPath } from '~/shared/lib/next-path.ts';
import { session, signedInPerson } from '~/shared/session.ts';
import type { createAppRouter } from './router.tsx';

/**
 * Keeps screens and session together; returns the way to stop. `restart` draws every screen anew, so that nothing a
 * person typed or saw stays for the next one. The guards decide where to go.
 */
export function followSession(router: ReturnType<typeof createAppRouter>, restart: () => void): () => void {
  const { client } = router.options.context;
  let person = signedInPerson();
  return session.subscribe(() => {
    const before = person;
    person = signedInPerson();
    if (before === person) return;
    if (person === null) {
      // The screens go first: still mounted, they would ask again for what is forgotten, signed out.
      void router.invalidate().finally(() => client.clear());
      return;
    }
    if (before !== null) {
      client.clear();
      // The page of a link knows itself where to go once it has signed somebody in.
      if (isOwnPath(router.latestLocation.pathname)) restart();
    }
    void router.invalidate();
  });
}
