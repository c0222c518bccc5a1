/** The branded landing page of a joining link. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { JoinPageOut } from '@vitrine/api';
import { Landing, landingButton } from '@vitrine/brand/landing';
import { BrandedScreen } from '~/features/organisations/brand-scope.tsx';
import { joinQuery } from '~/features/organisations/queries.ts';
import { useTitle } from '~/shared/lib/title.ts';
import { useSignedIn } from '~/shared/session.ts';
import { Loading, Skeleton } from '~/shared/ui/states.tsx';
import classes from './join-page.module.css';
import { LinkFailed } from './link-failed.tsx';
import { JOIN } from './texts.ts';

const route = getRouteApi('/join/$code');

/** /app/join/{code} */
export function JoinPage() {
  const { code } = route.useParams();
  const { data, error, refetch } = useQuery(joinQuery(code));
  useTitle(data?.organisation.name);
  if (error !== null) {
    return (
      <main>
        <LinkFailed error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (data === undefined) {
    return (
      <main className={classes.waiting}>
        <Loading>
          <Skeleton height="72px" width="72px" />
          <Skeleton height="32px" width="60%" />
          <Skeleton height="48px" />
        </Loading>
      </main>
    );
  }
  return (
    <BrandedScreen theme={data.organisation.theme}>
      <Invitation code={code} organisation={data.organisation} />
    </BrandedScreen>
  );
}

function Invitation({ code, organisation }: { code: string; organisation: JoinPageOut['organisation'] }) {
  const { name, description, logoUrl, theme } = organisation;
  const signedIn = useSignedIn();
  const navigate = useNavigate();
  const join = () =>
    signedIn
      ? navigate({ to: '/join/$code/consent', params: { code } })
      : navigate({ to: '/sign-in', search: { joinCode: code } });
  return (
    <main>
      <Landing
        name={name}
        description={description === '' ? JOIN.strapline : description}
        logoUrl={logoUrl}
        backgroundUrl={theme.backgroundUrl}
      >
        <button type="button" className={landingButton} onClick={() => void join()}>
          {JOIN.button}
        </button>
      </Landing>
    </main>
  );
}
