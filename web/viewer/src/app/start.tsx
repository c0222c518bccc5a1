/** Starts the whole app: server state, router, sign-outs and events that are still to be sent. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { startOutbox } from '~/features/watch/outbox.ts';
import { signOuts } from '~/shared/api.ts';
import { keepInstallOffer } from '~/shared/lib/install-offer.ts';
import { createQueryClient } from '~/shared/query-client.ts';
import { createAppRouter } from './router.tsx';
import { Viewer } from './viewer.tsx';

/** Renders the app at the current address. Call it once. */
export function start(root: Root): void {
  const client = createQueryClient();
  const router = createAppRouter(client);
  keepInstallOffer();
  // Deliver sign-outs the server has not received yet.
  signOuts.start();
  startOutbox();
  root.render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Viewer router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
