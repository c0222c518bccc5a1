/** Server state: the query client, and toasts as data on each mutation. */

import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { isAborted, messageOf, statusOf } from '@vitrine/api';
import { toastFailure, toastSuccess } from '../ui/toasts.ts';

/** What a mutation tells people: a fixed text, or the server's own message. */
export interface MutationToasts extends Record<string, unknown> {
  success?: string;
  /** `'server'` shows the message of the answer; a function chooses by the error, and null says nothing. */
  failure?: string | 'server' | ((error: unknown) => string | null);
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationToasts;
  }
}

// News reach the screen before the next event of the browser: the second click of a double click meets a button
// that is busy already. By default they come a task later, and one form is sent twice.
notifyManager.setScheduler(queueMicrotask);

/** Makes a client; tests make one each. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_data, _variables, _result, mutation) => {
        const text = mutation.meta?.success;
        if (text !== undefined) toastSuccess(text);
      },
      onError: (error, _variables, _result, mutation) => {
        // Its session is over: whoever is here now is not told.
        if (isAborted(error)) return;
        const failure = mutation.meta?.failure ?? null;
        const text = typeof failure === 'function' ? failure(error) : failure;
        if (text !== null) toastFailure(text === 'server' ? messageOf(error) : text);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        // A refused request stays refused; only a fault of server or line is worth one more try.
        retry: (failures, error) => statusOf(error) >= 500 && !isAborted(error) && failures < 1,
        retryDelay: 400,
      },
    },
  });
}
