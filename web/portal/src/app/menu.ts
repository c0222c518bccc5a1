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
import { appTexts } from './texts.ts';

/** One line of the menu. */
export interface MenuItem {
  label: string;
  icon: TablerIcon;
  /** Below /org/{orgId}, or absolute. */
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

/** In the order of the specification. */
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
