/** The sidebar's items and the policy by which each is shown. Never derived from the routes' table (C-01, C-02). */
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

/** One line of the menu. */
export interface MenuItem {
  label: string;
  icon: TablerIcon;
  /** Below /org/{orgId}, or absolute. */
  path: string;
  inOrg: boolean;
  policy: Policy | null;
}

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

/** In the order of the specification. */
export const menuItems: readonly MenuItem[] = [
  inOrg('Home', IconHome, '/home', policies.analytics),
  inOrg('Content', IconPlayerPlay, '/playlists', policies.playlistList),
  inOrg('Users', IconUsers, '/users', policies.usersList),
  inOrg('Analytics', IconChartBar, '/analytics', policies.organisationUpdate),
  inOrg('Leads', IconFlame, '/leads', policies.organisationUpdate),
  own('Profile', IconUser, '/user-profile'),
  inOrg('Organization', IconBuilding, '/profile', policies.analytics),
  own('Billing', IconCreditCard, '/billing'),
  own('Settings', IconSettings, '/settings'),
];
