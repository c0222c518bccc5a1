/** What is there on every screen: messages, the lines about connection and server, the offer of an update. */
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { BrandScope } from '~/features/organisations/brand-scope.tsx';
import { Toaster } from '~/shared/ui/toaster.tsx';
import { BusyLine } from './busy-line.tsx';
import { OfflineLine } from './offline-line.tsx';

// Nobody waits for it: it comes after the screen.
const UpdatePrompt = lazy(() => import('./update-prompt.tsx').then((module) => ({ default: module.UpdatePrompt })));

/** Root of all routes. */
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
