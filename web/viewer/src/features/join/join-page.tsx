/** The branded landing page of a joining link. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { joinQuery } from '~/features/organisations/queries.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';
import { Invitation, WaitingForInvitation } from './invitation.tsx';
import { LinkFailed } from './link-failed.tsx';

const route = getRouteApi('/join/$code');

/** /app/join/{code}, reached inside the app; as the first page of a visit it is `app/first-page.tsx`. */
export function JoinPage() {
  const { code } = route.useParams();
  const { data, error, refetch } = useQuery(joinQuery(code));
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  useTitle(data?.organisation.name);
  if (data === undefined && error !== null) return <LinkFailed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <WaitingForInvitation />;
  const onJoin = () =>
    signedIn
      ? navigate({ to: '/join/$code/consent', params: { code } })
      : navigate({ to: '/sign-in', search: { joinCode: code } });
  return <Invitation page={data} onJoin={() => void onJoin()} />;
}
