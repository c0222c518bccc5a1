/** Guards forms against double submission. */
import type { UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

/** Returns a function that starts the mutation unless it is already running, even within the same render. */
export function useOneAtATime<Data, Variables>(
  mutation: UseMutationResult<Data, Error, Variables>,
): (variables: Variables, then?: { onSuccess?: (data: Data) => void; onError?: (error: Error) => void }) => void {
  const running = useRef(false);
  return (variables, then = {}) => {
    if (running.current) return;
    running.current = true;
    mutation.mutateAsync(variables).then(
      (data) => {
        running.current = false;
        then.onSuccess?.(data);
      },
      (error: Error) => {
        running.current = false;
        then.onError?.(error);
      },
    );
  };
}
