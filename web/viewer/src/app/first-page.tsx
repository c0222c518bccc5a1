/** The page of a joining link as the first page of a visit: without router and server state, which load with the next. */
import { answerOf, type JoinPageOut } from '@vitrine/api';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Invitation, WaitingForInvitation } from '~/features/join/invitation.tsx';
import { BrandScope } from '~/features/organisations/brand-scope.tsx';
import { api } from '~/shared/api.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';
import { FailedState } from '~/shared/ui/states.tsx';

interface FirstPageProps {
  code: string;
  /** Starts the whole app at the address the browser shows then; rejects if its files cannot be loaded. */
  onWholeApp: () => Promise<void>;
  /** Loads the page anew. */
  onReload: () => void;
}

/** A link that is not valid, or cannot be loaded, is the whole app's business. */
export function FirstPage({ code, onWholeApp, onReload }: FirstPageProps) {
  const [page, setPage] = useState<JoinPageOut>();
  const [lost, setLost] = useState<unknown>(null);
  const failed = useEffectEvent(() => void onWholeApp().catch(setLost));
  useEffect(() => {
    let current = true;
    answerOf(api.GET('/v1/join/{code}', { params: { path: { code } } })).then(
      (answer) => current && setPage(answer),
      () => current && failed(),
    );
    return () => {
      current = false;
    };
  }, [code]);
  const signedIn = useSignedIn();
  useTitle(page?.organisation.name);
  // A second tap, while the app loads, would be one more entry of the history.
  const joins = useRef(false);
  const onJoin = () => {
    if (joins.current) return;
    joins.current = true;
    const part = encodeURIComponent(code);
    window.history.pushState(null, '', signedIn ? `/app/join/${part}/consent` : `/app/sign-in?joinCode=${part}`);
    // The address is already that of the next page, so a reload continues there.
    onWholeApp().catch(onReload);
  };
  return (
    <BrandScope>
      {page !== undefined ? (
        <Invitation page={page} onJoin={onJoin} />
      ) : lost === null ? (
        <WaitingForInvitation />
      ) : (
        <main>
          <FailedState error={lost} onRetry={onReload} />
        </main>
      )}
    </BrandScope>
  );
}
