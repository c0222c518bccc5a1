/** The frame of every screen behind the sign-in: sidebar, drawer, content. */
import { ActionIcon, Group } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { chooseMembership, staffMemberships } from '~/features/orgs/memberships.ts';
import { selectedOrganisation } from '~/features/orgs/selection.ts';
import { orgTexts } from '~/features/orgs/texts.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { PRODUCT } from '~/shared/lib/product.ts';
import { toastFailure } from '~/shared/ui/toasts.ts';
import { CrashScreen } from './crash-screen.tsx';
import classes from './shell.module.css';
import { ShellSkeleton } from './shell-skeleton.tsx';
import { Sidebar } from './sidebar.tsx';

const MenuDrawer = lazyPart(() => import('./menu-drawer.tsx'), 'MenuDrawer');

/** Loads the memberships first: without a role that counts there is no dashboard (C-04). */
export function Shell() {
  const memberships = useQuery(membershipsQuery);
  const failed = memberships.isError;
  useEffect(() => {
    if (failed) toastFailure(orgTexts.bootstrapFailed);
  }, [failed]);
  if (failed) return <CrashScreen />;
  if (memberships.data === undefined) return <ShellSkeleton />;
  if (staffMemberships(memberships.data).length === 0) return <Navigate to="/no-plan" replace />;
  return <Frame />;
}

function Frame() {
  const [collapsed, setCollapsed] = useLocalStorage({ key: 'vitrine.sidebarCollapsed', defaultValue: false });
  const [drawer, { open, close }] = useDisclosure(false);
  // Large screens never load the drawer.
  const [drawerWanted, setDrawerWanted] = useState(false);
  const { pathname } = useLocation();
  // A chosen item closes the drawer it was chosen in.
  useEffect(() => {
    if (pathname !== '') close();
  }, [pathname, close]);
  const openMenu = () => {
    setDrawerWanted(true);
    open();
  };
  return (
    <div className={classes.frame} data-collapsed={collapsed || undefined}>
      <a href="#content" className={classes.skip}>
        Skip navigation
      </a>
      <header className={classes.topbar}>
        <ActionIcon variant="subtle" color="gray" size={44} aria-label="Open menu" onClick={openMenu}>
          <IconMenu2 size={22} stroke={1.7} />
        </ActionIcon>
        <Group gap={8} wrap="nowrap" className={classes.mark}>
          <img src="/icon.svg" alt="" width={22} height={22} />
          {PRODUCT}
        </Group>
      </header>
      <div className={classes.rail}>
        <Sidebar collapsed={collapsed} onCollapse={() => setCollapsed(!collapsed)} />
      </div>
      <Suspense>{drawerWanted && <MenuDrawer opened={drawer} onClose={close} />}</Suspense>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Outlet />
      </main>
    </div>
  );
}

/** The root leads to the home of the selected organisation, or of the first one. */
export function RootRedirect() {
  const memberships = useQuery(membershipsQuery);
  const chosen = chooseMembership(memberships.data ?? [], selectedOrganisation());
  if (chosen === null) return null;
  return <Navigate to="/org/$orgId/home" params={{ orgId: chosen.organisation.uid }} replace />;
}
