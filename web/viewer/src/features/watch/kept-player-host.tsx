/** Holds the player for an organisation's screens. It is loaded with the first page that plays something. */
import { lazy, Suspense, useLayoutEffect, useSyncExternalStore } from 'react';
import { closePlayer, keptPlayer, onKeptPlayer } from './kept-player.ts';

/** Loads the player; pages that play something load it together with themselves. */
export const loadPlayer = () => import('./mini-player.tsx');

const MiniPlayer = lazy(() => loadPlayer().then((module) => ({ default: module.MiniPlayer })));

/** Mount with a `key` per organisation: unmounting ends playback, as at sign-out. */
export function KeptPlayerHost() {
  const kept = useSyncExternalStore(onKeptPlayer, keptPlayer);
  useLayoutEffect(() => closePlayer, []);
  if (kept === null) return null;
  return (
    <Suspense fallback={null}>
      <MiniPlayer kept={kept} />
    </Suspense>
  );
}
