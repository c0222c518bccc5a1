/** The router, kept in step with the session. */
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { followSession } from './follow-session.ts';
import type { createAppRouter } from './router.tsx';

interface PortalProps {
  router: ReturnType<typeof createAppRouter>;
  /** Called once this component follows the session itself. */
  onFollowing?: () => void;
}

/** Remounts everything when another tab signs in as a different person. */
export function Portal({ router, onFollowing }: PortalProps) {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = followSession(router, () => setRound((last) => last + 1));
    onFollowing?.();
    return stop;
  }, [router, onFollowing]);
  return <RouterProvider key={round} router={router} />;
}
