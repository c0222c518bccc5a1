/** Brings the notices of the application after its first picture: none of them is needed for that. */
import { type ComponentType, lazy, Suspense } from 'react';

// They stand outside every boundary that would catch a missing file; without them the portal goes on.
const Notices = lazy(
  (): Promise<{ default: ComponentType }> =>
    import('./notices.tsx').then(
      (module) => ({ default: module.Notices }),
      () => ({ default: () => null }),
    ),
);

/** Told beside every screen: the line is gone, a newer version waits. */
export function UpdateBanner() {
  return (
    <Suspense>
      <Notices />
    </Suspense>
  );
}
