/** The page of a joining link as the first page of a visit: without router and server state, which load with the next. */
import { answerOf, type JoinPageOut } from '@vitrine/api';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Invitation, WaitingForInvitation } from '~/features/join/invitation.tsx';
import { BrandScope } from '~/features/organisations/brand-scope.tsx';
import { api } from '~/shared/api.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';

interface FirstPageProps {
  code: string;
  /** Starts the whole app at the address the browser shows then. */
  onWholeApp: () => void;
}

/** A link that is not valid, or cannot be loaded, is the whole app's business. */
export function FirstPage({ code, onWholeApp }: FirstPageProps) {
  const [page, setPage] = useState<JoinPageOut>();
  const failed = useEffectEvent(onWholeApp);
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
    onWholeApp();
  };
  return (
    <BrandScope>
      {page === undefined ? <WaitingForInvitation /> : <Invitation page={page} onJoin={onJoin} />}
    </BrandScope>
  );
}
