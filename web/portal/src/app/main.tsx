/** Entry point of the portal. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { signOuts } from '~/shared/api/client.ts';
import { createQueryClient } from '~/shared/api/query-client.ts';
import './connect.ts';
import { prepareFirstRender } from './first-render.ts';
import { followSession } from './follow-session.ts';
import { Portal } from './portal.tsx';
import { Providers } from './providers.tsx';
import { createAppRouter } from './router.tsx';
import { CrashScreen } from './shell/crash-screen.tsx';
import { UpdateBanner } from './shell/update-banner.tsx';

const client = createQueryClient();
const router = createAppRouter(client);

// Deliver sign-outs the server has not received yet.
signOuts.start();

// Until the first render follows it: nothing has to be mounted again before.
const stopFollowing = followSession(router, () => undefined);

const container = document.getElementById('root');
if (container !== null) {
  const application = (
    <StrictMode>
      <Providers client={client}>
        <ErrorBoundary FallbackComponent={CrashScreen}>
          <Portal router={router} onFollowing={stopFollowing} />
        </ErrorBoundary>
        <UpdateBanner />
      </Providers>
    </StrictMode>
  );
  // Not awaited: the screens import modules of this file's chunk, and would wait for it.
  void prepareFirstRender(router, client).then(() => createRoot(container).render(application));
}
