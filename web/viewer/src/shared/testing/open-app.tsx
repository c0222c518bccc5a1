/** Renders the whole app at a URL. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { act, render } from '@testing-library/react';
import { createAppRouter } from '~/app/router.tsx';
import { Viewer } from '~/app/viewer.tsx';
import { createQueryClient } from '~/shared/query-client.ts';
import { session } from '~/shared/session.ts';
import { tokenOf } from './server.ts';

interface Opened {
  address: () => string;
  client: QueryClient;
  /** Presses Back. */
  back: () => Promise<void>;
}

/** Opens `/app` + path, after the pages of `before`; returns the current address and the query client. */
export function openApp(path: string, before: readonly string[] = []): Opened {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const history = createMemoryHistory({ initialEntries: [...before, path].map((entry) => `/app${entry}`) });
  const router = createAppRouter(client, history);
  render(
    <QueryClientProvider client={client}>
      <Viewer router={router} />
    </QueryClientProvider>,
  );
  return {
    address: () => history.location.href,
    client,
    back: () => act(async () => history.back()),
  };
}

/** Signs a person in before the app opens. */
export function signIn(uid = 'ann'): void {
  session.save(tokenOf(uid));
}
