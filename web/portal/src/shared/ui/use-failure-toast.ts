/** Toasts for lists that could not be loaded. */
import { useEffect } from 'react';
import { toastFailure } from './toasts.ts';

/** Shows a toast each time the first load of a list fails. */
export function useFailureToast(
  { isLoadingError, errorUpdateCount }: { isLoadingError: boolean; errorUpdateCount: number },
  message: string,
): void {
  // `errorUpdateCount` distinguishes a repeated failure from the first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isLoadingError) toastFailure(message);
  }, [isLoadingError, errorUpdateCount, message]);
}
