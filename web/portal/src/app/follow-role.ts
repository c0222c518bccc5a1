/** Reads the memberships again when the server refuses something inside an organisation. */
import type { QueryClient } from '@tanstack/react-query';
import { statusOf } from '@vitrine/api';
import { membershipsKey } from '~/features/orgs/memberships-key.ts';
import { atMostEvery } from '~/shared/lib/at-most-every.ts';
import type { createAppRouter } from './router.tsx';

type AppRouter = ReturnType<typeof createAppRouter>;

const PAUSE_MS = 5_000;

/** Keeps the screens in step with the person's role; returns a function that stops it. */
export function followRole(router: AppRouter): () => void {
  const { queryClient } = router.options.context;
  const refresh = atMostEvery(PAUSE_MS, () => refetch(queryClient));
  const check = (error: unknown) => {
    const refused = statusOf(error) === 403 || statusOf(error) === 404;
    if (refused && router.latestLocation.pathname.startsWith('/org/')) refresh();
  };
  const stops = [
    queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if (event.query.queryKey[0] === 'org') check(event.action.error);
    }),
    queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
    }),
  ];
  // The loader of the first screen may have been refused already.
  for (const { queryKey, state } of queryClient.getQueryCache().getAll()) {
    if (queryKey[0] === 'org' && state.error !== null) check(state.error);
  }
  return () => {
    for (const stop of stops) stop();
  };
}

function refetch(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ queryKey: membershipsKey }, { cancelRefetch: false });
}
