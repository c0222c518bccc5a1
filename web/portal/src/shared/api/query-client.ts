/** Server state: the query client, and toasts as data on each mutation. */

import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { isAborted, messageOf, statusOf } from '@vitrine/api';
import { toastFailure, toastSuccess } from '../ui/toasts.ts';

/** The toasts of a mutation: a fixed text, or the server's message. */
export interface MutationToasts extends Record<string, unknown> {
  success?: string;
  /** `'server'` shows the server's message; a function chooses by the error, and null shows no toast. */
  failure?: string | 'server' | ((error: unknown) => string | null);
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: MutationToasts;
  }
}

// Notify in a microtask, before the next browser event, so that the second click of a double click meets a disabled
// button. By default notifications run a task later, and a form could be sent twice.
notifyManager.setScheduler(queueMicrotask);

/** How long data, or a failure, counts as current, in milliseconds. */
const FRESH_FOR = 10_000;

/** Creates a client; each test creates its own. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_data, _variables, _result, mutation) => {
        const text = mutation.meta?.success;
        if (text !== undefined) toastSuccess(text);
      },
      onError: (error, _variables, _result, mutation) => {
        // The call was aborted because its session ended; the person signed in now must not see it.
        if (isAborted(error)) return;
        const failure = mutation.meta?.failure ?? null;
        const text = typeof failure === 'function' ? failure(error) : failure;
        if (text !== null) toastFailure(text === 'server' ? messageOf(error) : text);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_FOR,
        refetchOnWindowFocus: false,
        // A screen that mounts just after its loader failed shows that error instead of asking again.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > FRESH_FOR,
        // Retry server and network failures once; a refusal would be repeated.
        retry: (failures, error) => statusOf(error) >= 500 && !isAborted(error) && failures < 1,
        retryDelay: 400,
      },
    },
  });
}
