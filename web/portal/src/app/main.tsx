/** Start of the portal. */
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { rememberRedirect } from '~/features/session/model.ts';
import { onSignedOut } from '~/shared/api/client.ts';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { session } from '~/shared/api/session.ts';
import { Providers } from './providers.tsx';
import { createAppRouter } from './router.tsx';
import { CrashScreen } from './shell/crash-screen.tsx';
import { UpdateBanner } from './shell/update-banner.tsx';

const client = createQueryClient();
const router = createAppRouter(client);

// A session that cannot be refreshed: back to sign-in, and then to where the person was (G-14).
onSignedOut(() => {
  if (session.token() === null) return;
  rememberRedirect(router.state.location.href);
  session.clear();
});

// Signed out here or in another tab: nothing of this person stays, and the guards decide anew.
session.subscribe(() => {
  if (session.token() !== null) return;
  client.clear();
  void router.invalidate();
});

const container = document.getElementById('root');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <Providers client={client}>
        <ErrorBoundary FallbackComponent={CrashScreen}>
          <RouterProvider router={router} />
        </ErrorBoundary>
        <UpdateBanner />
      </Providers>
    </StrictMode>,
  );
}
