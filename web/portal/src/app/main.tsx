/** Entry point of the portal. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { signOuts } from '~/shared/api/client.ts';
import { createQueryClient } from '~/shared/api/query-client.ts';
import { session } from '~/shared/api/session.ts';
import { Portal } from './portal.tsx';
import { Providers } from './providers.tsx';
import { createAppRouter } from './router.tsx';
import { CrashScreen } from './shell/crash-screen.tsx';
import { UpdateBanner } from './shell/update-banner.tsx';

const client = createQueryClient();
const router = createAppRouter(client);

// Deliver sign-outs the server has not received yet.
signOuts.start();

// Nearly every screen needs these queries; start them before the first render.
if (session.token() !== null) {
  const shell = (loaders: typeof import('./loaders.ts')) => loaders.shell({ context: { queryClient: client } });
  void import('./loaders.ts').then(shell, () => undefined);
}

const container = document.getElementById('root');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <Providers client={client}>
        <ErrorBoundary FallbackComponent={CrashScreen}>
          <Portal router={router} />
        </ErrorBoundary>
        <UpdateBanner />
      </Providers>
    </StrictMode>,
  );
}
