/** The sidebar: person and organisation, the menu, theme and logout. */
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconChevronsLeft, IconChevronsRight, IconLogout, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, Suspense } from 'react';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { chooseMembership, type Membership } from '~/features/orgs/memberships.ts';
import { allows } from '~/features/orgs/roles.ts';
import { useSelectedOrganisation } from '~/features/orgs/selection.ts';
import { useSignOut } from '~/features/session/sign-out.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { type MenuItem, menuItems } from '../menu.ts';
import { appTexts } from '../texts.ts';
import { MenuWithTarget } from './menu-with-target.tsx';
import { OrgTarget } from './org-target.tsx';
import { SchemeTarget } from './scheme-target.tsx';
import classes from './sidebar.module.css';

const OrgMenu = lazyPart(() => import('./org-menu.tsx'), 'OrgMenu');
const SchemeSwitch = lazyPart(() => import('./scheme-switch.tsx'), 'SchemeSwitch');
// The expanded sidebar shows labels and never loads the tooltips.
const RailTip = lazyPart(() => import('./rail-tip.tsx'), 'RailTip');

interface SidebarProps {
  /** Show icons only. */
  collapsed?: boolean;
  onCollapse?: () => void;
  /** Set only in the drawer of small screens. */
  onClose?: () => void;
}

export function Sidebar({ collapsed = false, onCollapse, onClose }: SidebarProps) {
  const memberships = useQuery(membershipsQuery);
  const selected = chooseMembership(memberships.data ?? [], useSelectedOrganisation());
  const signOut = useSignOut();
  return (
    <div className={classes.sidebar} data-collapsed={collapsed || undefined}>
      <div className={classes.head}>
        <MenuWithTarget
          target={(onPress) => <OrgTarget selected={selected} collapsed={collapsed} onClick={onPress} />}
          menu={(wanted) => (
            <OrgMenu selected={selected} memberships={memberships.data ?? []} collapsed={collapsed} wanted={wanted} />
          )}
        />
        {onClose !== undefined && (
          <ActionIcon variant="subtle" color="gray" size={40} aria-label={appTexts.closeMenu} onClick={onClose}>
            <IconX size={22} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      <nav className={classes.nav} aria-label={appTexts.mainNavigation}>
        {selected !== null &&
          visibleItems(selected).map((item) => (
            <NavItem key={item.label} item={item} orgId={selected.organisation.uid} collapsed={collapsed} />
          ))}
      </nav>
      <div className={classes.foot}>
        <Tipped label={appTexts.logout} shown={collapsed}>
          <UnstyledButton className={classes.logout} onClick={() => void signOut()} aria-label={appTexts.logout}>
            <IconLogout size={18} stroke={1.7} aria-hidden />
            {!collapsed && appTexts.logout}
          </UnstyledButton>
        </Tipped>
        <div className={classes.tools}>
          <MenuWithTarget
            target={(onPress) => <SchemeTarget onClick={onPress} />}
            menu={(wanted) => <SchemeSwitch wanted={wanted} />}
          />
          {onCollapse !== undefined && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              className={classes.collapse ?? ''}
              aria-label={collapsed ? appTexts.expandSidebar : appTexts.collapseSidebar}
              onClick={onCollapse}
            >
              {collapsed ? <IconChevronsRight size={18} stroke={1.7} /> : <IconChevronsLeft size={18} stroke={1.7} />}
            </ActionIcon>
          )}
        </div>
      </div>
    </div>
  );
}

function visibleItems({ role }: Membership): MenuItem[] {
  return menuItems.filter(({ policy }) => policy === null || allows(role, policy));
}

function NavItem({ item, orgId, collapsed }: { item: MenuItem; orgId: string; collapsed: boolean }) {
  const { icon: Icon, label } = item;
  return (
    <Tipped label={label} shown={collapsed}>
      <Link
        to={item.inOrg ? `/org/${orgId}${item.path}` : item.path}
        className={classes.item}
        aria-label={label}
        activeOptions={{ exact: !item.inOrg, includeSearch: false }}
      >
        <Icon size={20} stroke={1.6} className={classes.icon} aria-hidden />
        {!collapsed && <span>{label}</span>}
      </Link>
    </Tipped>
  );
}

function Tipped({ label, shown, children }: { label: string; shown: boolean; children: ReactElement }) {
  if (!shown) return children;
  return (
    <Suspense fallback={children}>
      <RailTip label={label}>{children}</RailTip>
    </Suspense>
  );
}
