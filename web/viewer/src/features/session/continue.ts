/** Navigation after sign-in. */
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { ProfileOut } from '@vitrine/api';
import { leaveLayer } from '~/shared/lib/back-closes.ts';
import { takePath } from '~/shared/lib/next-path.ts';
import { nextStep } from './model.ts';

/** Returns a function that navigates a signed-in person to the next step. */
export function useContinue(joinCode: string | undefined) {
  const navigate = useNavigate();
  const router = useRouter();
  return async (profile: ProfileOut): Promise<void> => {
    // The page replaces all steps of signing in.
    await leaveLayer(router);
    const step = nextStep(profile, joinCode);
    if (step.to === 'details') return navigate({ to: '/details', search: joinSearch(joinCode), replace: true });
    if (step.to === 'consent')
      return navigate({ to: '/join/$code/consent', params: { code: step.code }, replace: true });
    return navigate({ to: takePath(), replace: true });
  };
}

/** Returns the search params that carry the joining code. */
export function joinSearch(joinCode: string | undefined): { joinCode?: string } {
  return joinCode === undefined ? {} : { joinCode };
}
