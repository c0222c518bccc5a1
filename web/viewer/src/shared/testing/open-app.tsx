/** Renders the whole app at a URL. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { createAppRouter } from '~/app/router.tsx';
import { Viewer } from '~/app/viewer.tsx';
import { createQueryClient } from '~/shared/query-client.ts';
import { session } from '~/shared/session.ts';
import { tokenOf } from './server.ts';

/** Opens `/app` + path; returns the current address and the query client. */
export function openApp(path: string): { address: () => string; client: QueryClient } {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const history = createMemoryHistory({ initialEntries: [`/app${path}`] });
  const router = createAppRouter(client, history);
  render(
    <QueryClientProvider client={client}>
      <Viewer router={router} />
    </QueryClientProvider>,
  );
  return { address: () => history.location.href, client };
}

/** Signs a person in before the app opens. */
export function signIn(uid = 'ann'): void {
  session.save(tokenOf(uid));
}
