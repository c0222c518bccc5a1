/** Starts the app. */
import '@vitrine/tokens/cover.css';
import '@vitrine/tokens/fonts.css';
import '@vitrine/tokens/tokens.css';
import './app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startOutbox } from '~/features/watch/outbox.ts';
import { createQueryClient } from '~/shared/query-client.ts';
import { session, signedInPerson } from '~/shared/session.ts';
import { createAppRouter } from './router.tsx';

const client = createQueryClient();
const router = createAppRouter(client);

// Another person, or none: what is on the screen belongs to somebody else. The guards decide where to go.
let person = signedInPerson();
session.subscribe(() => {
  const now = signedInPerson();
  if (now === person) return;
  if (person !== null) client.clear();
  person = now;
  void router.invalidate();
});

startOutbox();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
