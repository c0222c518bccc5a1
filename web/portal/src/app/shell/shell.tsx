/** The frame of every signed-in screen: sidebar, drawer, content. */
import { ActionIcon, Group } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { isOffline, membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { chooseMembership, staffMemberships } from '~/features/orgs/memberships.ts';
import { selectedOrganisation, useSelectedOrganisation } from '~/features/orgs/selection.ts';
import { orgTexts } from '~/features/orgs/texts.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { PRODUCT } from '~/shared/lib/product.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { followRole } from '../follow-role.ts';
import { labelOf } from '../menu.ts';
import { appTexts } from '../texts.ts';
import { useCollapsed } from './collapsed.ts';
import { CrashScreen } from './crash-screen.tsx';
import classes from './shell.module.css';
import { ShellSkeleton } from './shell-skeleton.tsx';
import { Sidebar } from './sidebar.tsx';

// The service worker has its files cached, so it loads offline too.
const OfflineScreen = lazyPart(() => import('./offline-screen.tsx'), 'OfflineScreen');
const StandingBanner = lazyPart(() => import('~/features/billing/parts/standing-banner.tsx'), 'StandingBanner');
const MenuDrawer = lazyPart(() => import('./menu-drawer.tsx'), 'MenuDrawer');

/** How often the memberships are read again while the window is visible. */
const REFRESH_MS = 60_000;

const hasFailed = ({ state }: Query) => state.status === 'error';

/** Loads the memberships first: a person without a staff role has no dashboard. */
export function Shell() {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => followRole(router), [router]);
  // A change of role is noticed without a reload.
  const memberships = useQuery({ ...membershipsQuery, refetchOnWindowFocus: 'always', refetchInterval: REFRESH_MS });
  // Fetched in parallel, so that the sidebar and Home can show the name on first paint.
  useQuery({ ...profileQuery, notifyOnChangeProps: [] });
  const [collapsed, setCollapsed] = useCollapsed();
  // Only a failed first load counts; a failed refetch keeps the loaded data.
  const failed = memberships.isLoadingError;
  const offline = failed && isOffline(memberships.error);
  useEffect(() => {
    if (failed && !offline) toastFailure(orgTexts.bootstrapFailed);
  }, [failed, offline]);
  if (offline) {
    return (
      <Suspense fallback={<ShellSkeleton collapsed={collapsed} />}>
        <OfflineScreen onBack={() => void client.refetchQueries({ predicate: hasFailed })} />
      </Suspense>
    );
  }
  if (failed) return <CrashScreen />;
  if (memberships.data === undefined) return <ShellSkeleton collapsed={collapsed} />;
  if (staffMemberships(memberships.data).length === 0) return <Navigate to="/no-plan" replace />;
  return <Frame collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} />;
}

function Frame({ collapsed, onCollapse }: { collapsed: boolean; onCollapse: () => void }) {
  // On large screens the drawer is never loaded.
  const [drawer, setDrawer] = useState<'never' | 'open' | 'closed'>('never');
  const opener = useRef<HTMLButtonElement>(null);
  const { pathname } = useLocation();
  // Navigation closes the drawer and moves focus to the new screen; otherwise focus returns to the button.
  useEffect(() => {
    if (pathname !== '') setDrawer((now) => (now === 'open' ? 'closed' : now));
  }, [pathname]);
  const closeDrawer = () => {
    setDrawer('closed');
    opener.current?.focus();
  };
  return (
    <div className={classes.frame} data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        {appTexts.skipNavigation}
      </a>
      <header className={classes.topbar}>
        <ActionIcon
          ref={opener}
          variant="subtle"
          color="gray"
          size={44}
          aria-label={appTexts.openMenu}
          onClick={() => setDrawer('open')}
        >
          <IconMenu2 size={22} stroke={1.7} />
        </ActionIcon>
        <Group gap={8} wrap="nowrap" className={classes.mark}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          {labelOf(pathname) ?? PRODUCT}
        </Group>
      </header>
      <div className={classes.rail}>
        <Sidebar collapsed={collapsed} onCollapse={onCollapse} />
      </div>
      <Suspense>{drawer !== 'never' && <MenuDrawer opened={drawer === 'open'} onClose={closeDrawer} />}</Suspense>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Standing />
        <Outlet />
      </main>
    </div>
  );
}

/** Says that the plan of the selected organisation is not paid; the code of that is loaded only then. */
function Standing() {
  const memberships = useQuery(membershipsQuery);
  const selected = useSelectedOrganisation();
  const organisation = chooseMembership(memberships.data ?? [], selected)?.organisation;
  if (organisation === undefined || organisation.state === 'active') return null;
  return (
    <Suspense>
      <StandingBanner key={organisation.uid} organisation={organisation} />
    </Suspense>
  );
}

/** Redirects to the home of the selected organisation, or of the first one. */
export function RootRedirect() {
  const memberships = useQuery(membershipsQuery);
  const chosen = chooseMembership(memberships.data ?? [], selectedOrganisation());
  if (chosen === null) return null;
  return <Navigate to="/org/$orgId/home" params={{ orgId: chosen.organisation.uid }} replace />;
}
