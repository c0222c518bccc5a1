/** The router, kept in step with the session. */
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLanguage } from '~/shared/language.ts';
import { followSession } from './follow-session.ts';
import type { createAppRouter } from './router.tsx';

/** Remounts everything when another person signs in, or in another language. */
export function Viewer({ router }: { router: ReturnType<typeof createAppRouter> }) {
  const [round, setRound] = useState(0);
  const language = useLanguage();
  useEffect(() => followSession(router, () => setRound((last) => last + 1)), [router]);
  return <RouterProvider key={`${round} ${language}`} router={router} />;
}
