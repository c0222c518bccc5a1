/** The sidebar's items and the policy each requires. Separate from the route table: the two differ on purpose. */
import {
  IconBuilding,
  IconChartBar,
  IconCreditCard,
  IconFlame,
  IconHome,
  IconPlayerPlay,
  IconSettings,
  IconUser,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { type Policy, policies } from '~/features/orgs/roles.ts';
import { appTexts } from './texts.ts';

export interface MenuItem {
  label: string;
  icon: TablerIcon;
  /** Relative to /org/{orgId} if `inOrg`, otherwise absolute. */
  path: string;
  inOrg: boolean;
  policy: Policy | null;
}

const { menu } = appTexts;

const inOrg = (label: string, icon: TablerIcon, path: string, policy: Policy): MenuItem => ({
  label,
  icon,
  path,
  inOrg: true,
  policy,
});
const own = (label: string, icon: TablerIcon, path: string): MenuItem => ({
  label,
  icon,
  path,
  inOrg: false,
  policy: null,
});

/** In display order. */
export const menuItems: readonly MenuItem[] = [
  inOrg(menu.home, IconHome, '/home', policies.analytics),
  inOrg(menu.content, IconPlayerPlay, '/playlists', policies.playlistList),
  inOrg(menu.users, IconUsers, '/users', policies.usersList),
  inOrg(menu.analytics, IconChartBar, '/analytics', policies.organisationUpdate),
  inOrg(menu.leads, IconFlame, '/leads', policies.organisationUpdate),
  own(menu.profile, IconUser, '/user-profile'),
  inOrg(menu.organisation, IconBuilding, '/profile', policies.analytics),
  own(menu.billing, IconCreditCard, '/billing'),
  own(menu.settings, IconSettings, '/settings'),
];

/** Returns the label of the item that a path belongs to. */
export function labelOf(pathname: string): string | undefined {
  const path = pathname.replace(/^\/org\/[^/]+/, '');
  return menuItems.find((item) => item.inOrg === (path !== pathname) && path.startsWith(item.path))?.label;
}
