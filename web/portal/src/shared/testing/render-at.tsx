/** Renders the portal at a URL with the real routes. */
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Providers } from '~/app/providers.tsx';
import { createAppRouter } from '~/app/router.tsx';
import { createQueryClient } from '../api/query-client.ts';
import { session } from '../api/session.ts';

interface RenderOptions {
  /** Render signed out. */
  anonymous?: boolean;
}

export function renderAt(url: string, { anonymous = false }: RenderOptions = {}) {
  if (anonymous) session.clear();
  else session.save('token');
  const client = createQueryClient();
  const router = createAppRouter(client, createMemoryHistory({ initialEntries: [url] }));
  const view = render(
    <Providers client={client} env="test">
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...view, client, router, user: userEvent.setup(), path: () => router.state.location.href };
}
