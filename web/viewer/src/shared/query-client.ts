/** Server state: the query client, and toasts as data on each mutation. */

import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { isAborted, messageOf, statusOf } from '@vitrine/api';
import { showToast } from './ui/toasts.ts';

/** What a mutation tells people; a failure shows the server's message unless the screen shows it itself. */
interface MutationToasts extends Record<string, unknown> {
  success?: string;
  failure?: 'toast' | 'inline';
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationToasts;
  }
}

// News reach the screen before the next event of the browser, so that a double click sends once (as in the portal).
notifyManager.setScheduler(queueMicrotask);

/** Makes a client; tests make one each. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_data, _variables, _result, mutation) => {
        const text = mutation.meta?.success;
        if (text !== undefined) showToast('success', text);
      },
      onError: (error, _variables, _result, mutation) => {
        // An aborted one belongs to a session that is over: whoever is here now is not told.
        if (mutation.meta?.failure !== 'inline' && !isAborted(error)) showToast('failure', messageOf(error));
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // A refused request stays refused; only a fault of server or line is worth one more try.
        retry: (failures, error) => statusOf(error) >= 500 && !isAborted(error) && failures < 1,
        retryDelay: 400,
      },
    },
  });
}
