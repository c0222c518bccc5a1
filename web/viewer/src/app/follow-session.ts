/** What the app does when another person, or nobody, is signed in: here, in another tab, or by the server's word. */
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
    if (before !== null) {
      client.clear();
      if (person !== null) restart();
    }
    void router.invalidate();
  });
}
