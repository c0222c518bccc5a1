/** What the application does when the session changes: here, in another tab, or at the server. */
import { forgetPerson } from '~/features/session/api/begin.ts';
import { isPublicPage, rememberRedirect } from '~/features/session/model.ts';
import { onSignedOut } from '~/shared/api/client.ts';
import { session } from '~/shared/api/session.ts';
import type { createAppRouter } from './router.tsx';

type AppRouter = ReturnType<typeof createAppRouter>;

/**
 * Keeps screens and session together; answers the way to stop. `restart` draws every screen anew, so that nothing of
 * another person stays in it.
 */
export function followSession(router: AppRouter, restart: () => void): () => void {
  const { queryClient } = router.options.context;
  const onPublicPage = () => isPublicPage(router.latestLocation.pathname);
  let person = session.person();

  // A session that cannot be refreshed: back to sign-in, and then to where the person was (G-14).
  const stopListening = onSignedOut(() => {
    rememberRedirect(router.latestLocation.href);
    session.clear();
  });

  const stopFollowing = session.subscribe((origin) => {
    const before = person;
    person = session.person();
    if (session.token() === null) {
      forgetPerson();
      // The screens go first: still mounted, they would ask again for what is forgotten, signed out.
      const gone = onPublicPage() ? Promise.resolve() : router.navigate({ to: '/login', replace: true });
      void gone.finally(() => queryClient.clear());
    } else if (onPublicPage()) {
      // Here the way of signing in knows where to go; a tab that only looks on is sent by its guard (C-20).
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
