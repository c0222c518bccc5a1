/** Loads the app-wide notices after the first paint. */
import { type ComponentType, lazy, Suspense } from 'react';

// No error boundary surrounds them, so a missing file must not throw; the portal works without notices.
const Notices = lazy(
  (): Promise<{ default: ComponentType }> =>
    import('./notices.tsx').then(
      (module) => ({ default: module.Notices }),
      () => ({ default: () => null }),
    ),
);

/** Notices shown beside every screen, such as lost connection or a newer version. */
export function UpdateBanner() {
  return (
    <Suspense>
      <Notices />
    </Suspense>
  );
}
