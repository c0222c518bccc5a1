/** Entry point of the viewer app. */
import '@vitrine/tokens/cover.css';
import '@vitrine/tokens/fonts.css';
import '@vitrine/tokens/tokens.css';
import './app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startOutbox } from '~/features/watch/outbox.ts';
import { signOuts } from '~/shared/api.ts';
import { loadLanguage } from '~/shared/language.ts';
import { createQueryClient } from '~/shared/query-client.ts';
import { createAppRouter } from './router.tsx';
import { Viewer } from './viewer.tsx';

const client = createQueryClient();
const router = createAppRouter(client);

// Deliver sign-outs the server has not received yet.
signOuts.start();
startOutbox();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
await loadLanguage();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Viewer router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
