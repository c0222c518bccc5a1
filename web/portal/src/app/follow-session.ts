/** Reacts to session changes in this tab, in another tab, or at the server. */
import { forgetPerson } from '~/features/session/api/begin.ts';
import { isPublicPage, rememberRedirect } from '~/features/session/model.ts';
import { onSignedOut } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import type { createAppRouter } from './router.tsx';

type AppRouter = ReturnType<typeof createAppRouter>;

/**
 * Keeps screens and session in step; returns a function that stops it. `restart` remounts every screen, so that no data
 * of the previous person remains.
 */
export function followSession(router: AppRouter, restart: () => void): () => void {
  const { queryClient } = router.options.context;
  const onPublicPage = () => isPublicPage(router.latestLocation.pathname);
  let person = session.person();

  // The session could not be refreshed: remember the current address, then go to sign-in.
  const stopListening = onSignedOut(() => {
    rememberRedirect(router.latestLocation.href);
    session.clear();
  });

  const stopFollowing = session.subscribe((origin) => {
    const before = person;
    person = session.person();
    if (session.token() === null) {
      forgetPerson();
      // Leave first: mounted screens would refetch the cleared queries while signed out.
      const gone = onPublicPage() ? Promise.resolve() : router.navigate({ to: '/login', replace: true });
      void gone.finally(() => queryClient.clear());
    } else if (onPublicPage()) {
      // In this tab the sign-in flow navigates; other tabs are redirected by their guard.
      if (origin === 'elsewhere') void router.invalidate();
    } else if (before !== null && before !== person) {
      forgetPerson();
      queryClient.clear();
      restart();
    }
  });

  return () => {
    stopListening();
    stopFollowing();
  };
}
