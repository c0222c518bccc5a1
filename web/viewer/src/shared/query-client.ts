/** Server state: the query client, and toasts as data on each mutation. */

import { MutationCache, notifyManager, onlineManager, QueryClient } from '@tanstack/react-query';
import { isAborted, statusOf } from '@vitrine/api';
import { errorText } from './language.ts';
import { showToast } from './ui/toasts.ts';

/** The toasts of a mutation; a failure shows the server's message unless the screen shows it inline. */
interface MutationToasts extends Record<string, unknown> {
  success?: string;
  failure?: 'toast' | 'inline';
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationToasts;
  }
}

// Notify in a microtask, before the next browser event, so that a double click submits once.
notifyManager.setScheduler(queueMicrotask);

/** Creates a client; each test creates its own. */
export function createQueryClient(): QueryClient {
  // It assumes a connection; started without one, it would miss that there is one again.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_data, _variables, _result, mutation) => {
        const text = mutation.meta?.success;
        if (text !== undefined) showToast('success', text);
      },
      onError: (error, _variables, _result, mutation) => {
        // An aborted call belongs to an ended session; the person signed in now must not see its error.
        if (mutation.meta?.failure !== 'inline' && !isAborted(error)) showToast('failure', errorText(error));
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        // Without a connection, calls fail at once and show what was seen last, instead of waiting for one.
        networkMode: 'always',
        refetchOnReconnect: 'always',
        // Retry server and network failures once; a refusal would be repeated.
        retry: (failures, error) => statusOf(error) >= 500 && !isAborted(error) && failures < 1,
        retryDelay: 400,
      },
      mutations: { networkMode: 'always' },
    },
  });
}
