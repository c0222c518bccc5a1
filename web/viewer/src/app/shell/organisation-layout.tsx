/** The frame of an organisation's screens: brand colors, name and navigation. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router';
import type { JoinedOrganisationOut } from '@vitrine/api';
import { AppBar, appBar, BrandName } from '@vitrine/brand/app-bar';
import { bottomBar, NavigationFace, navigationPlaces } from '@vitrine/brand/bottom-bar';
import { Icon } from '@vitrine/brand/icon';
import { useEffect } from 'react';
import { BrandedScreen } from '~/features/organisations/brand-scope.tsx';
import { CurrentOrganisation } from '~/features/organisations/current.ts';
import { useRememberedBrand } from '~/features/organisations/last-brand.ts';
import { organisationsQuery } from '~/features/organisations/queries.ts';
import { KeptPlayerHost } from '~/features/watch/kept-player-host.tsx';
import { useReturnVisits } from '~/features/watch/use-return-visits.ts';
import { useInstallLinks } from '~/shared/lib/install-links.ts';
import { storage } from '~/shared/lib/storage.ts';
import { useSiteName } from '~/shared/lib/title.ts';
import { useIsPhone } from '~/shared/lib/use-is-phone.ts';
import { buttonClass } from '~/shared/ui/button.tsx';
import { FailedState, Loading, Skeleton, State } from '~/shared/ui/states.tsx';
import { SHELL } from '../texts.ts';
import classes from './shell.module.css';

const route = getRouteApi('/org/$orgId');

/** /app/org/{orgId}/… */
export function OrganisationLayout() {
  const { orgId } = route.useParams();
  // Who returns to the app sees the brand as it is now.
  const { data, error, refetch } = useQuery({ ...organisationsQuery, refetchOnWindowFocus: 'always' });
  const organisation = data?.find(({ uid }) => uid === orgId);
  const joined = organisation?.uid;
  const phone = useIsPhone();
  useSiteName(organisation?.name);
  useRememberedBrand(organisation);
  useInstallLinks(organisation);
  useReturnVisits(organisation);
  useEffect(() => {
    if (joined !== undefined) storage.set('organisation', joined);
  }, [joined]);
  if (data === undefined) {
    return <main>{error === null ? <Waiting /> : <FailedState error={error} onRetry={() => void refetch()} />}</main>;
  }
  if (organisation === undefined) {
    return (
      <main>
        <State icon="link" title={SHELL.notJoinedTitle} text={SHELL.notJoinedText}>
          <Link to="/" className={buttonClass()}>
            {SHELL.toPlaylists}
          </Link>
        </State>
      </main>
    );
  }
  return (
    <CurrentOrganisation value={organisation}>
      <BrandedScreen theme={organisation.theme}>
        <Header organisation={organisation} all={data} />
        <main className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
        <KeptPlayerHost key={organisation.uid} />
        {phone ? <MainNavigation orgId={organisation.uid} className={bottomBar} /> : null}
      </BrandedScreen>
    </CurrentOrganisation>
  );
}

function Header({ organisation, all }: { organisation: JoinedOrganisationOut; all: JoinedOrganisationOut[] }) {
  const params = { orgId: organisation.uid };
  const phone = useIsPhone();
  return (
    <AppBar>
      <Link to="/org/$orgId" params={params} activeOptions={{ exact: true }} className={appBar.brand}>
        <BrandName name={organisation.name} logoUrl={organisation.logoUrl} hidden={all.length > 1} />
      </Link>
      {all.length > 1 ? <Switcher current={organisation} all={all} /> : null}
      {phone ? null : <MainNavigation orgId={organisation.uid} className={appBar.nav} />}
    </AppBar>
  );
}

const LINKS = {
  home: { to: '/org/$orgId', activeOptions: { exact: true } },
  search: { to: '/org/$orgId/search', activeOptions: { includeSearch: false } },
  me: { to: '/org/$orgId/me' },
} as const;

function MainNavigation({ orgId, className }: { orgId: string; className: string }) {
  return (
    <nav className={className} aria-label={SHELL.mainNavigation}>
      {navigationPlaces.map((place) => (
        <Link key={place} params={{ orgId }} {...LINKS[place]}>
          <NavigationFace place={place} label={SHELL[place]} />
        </Link>
      ))}
    </nav>
  );
}

/** Shown only to people who have joined more than one organisation. */
function Switcher({ current, all }: { current: JoinedOrganisationOut; all: JoinedOrganisationOut[] }) {
  const navigate = useNavigate();
  return (
    <span className={classes.switcher}>
      <select
        aria-label={SHELL.organisation}
        value={current.uid}
        onChange={(event) => void navigate({ to: '/org/$orgId', params: { orgId: event.target.value } })}
      >
        {all.map(({ uid, name }) => (
          <option key={uid} value={uid}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={16} />
    </span>
  );
}

function Waiting() {
  return (
    <Loading>
      <div className={classes.main}>
        <Skeleton height="36px" width="50%" />
        <br />
        <Skeleton height="40vh" />
      </div>
    </Loading>
  );
}
