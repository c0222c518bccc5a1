/** Toasts about lists that could not be loaded. */
import { useEffect } from 'react';
import { toastFailure } from './toasts.ts';

/** Shows a toast each time nothing of a list could be loaded. */
export function useFailureToast(
  { isLoadingError, errorUpdateCount }: { isLoadingError: boolean; errorUpdateCount: number },
  message: string,
): void {
  // The count tells the second failure from the first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isLoadingError) toastFailure(message);
  }, [isLoadingError, errorUpdateCount, message]);
}
