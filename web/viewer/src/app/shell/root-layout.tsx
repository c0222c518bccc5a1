/** Present on every screen: toasts, connection notices and the update prompt. */
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { BrandScope } from '~/features/organisations/brand-scope.tsx';
import { Toaster } from '~/shared/ui/toaster.tsx';
import { BusyLine } from './busy-line.tsx';
import { OfflineLine } from './offline-line.tsx';

// Loaded after the screen; nothing depends on it.
const UpdatePrompt = lazy(() => import('./update-prompt.tsx').then((module) => ({ default: module.UpdatePrompt })));

/** Layout of all routes. */
export function RootLayout() {
  return (
    <BrandScope>
      <OfflineLine />
      <BusyLine />
      <Outlet />
      <Suspense fallback={null}>
        <UpdatePrompt />
      </Suspense>
      <Toaster />
    </BrandScope>
  );
}
