/** The menu for switching organisations. */
import { Avatar, Menu, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { imageAt } from '@vitrine/brand/image-sizes';
import { type Membership, staffMemberships } from '~/features/orgs/memberships.ts';
import { cut, DESCRIPTION_LENGTH, initials } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { appTexts } from '../texts.ts';
import { useOpened } from './menu-with-target.tsx';
import classes from './org-menu.module.css';
import { OrgTarget } from './org-target.tsx';

interface OrgMenuProps {
  selected: Membership | null;
  memberships: readonly Membership[];
  collapsed: boolean;
  /** The button was pressed before the menu had loaded. */
  wanted: boolean;
}

/**
 * Opens the chosen organisation in a new tab: switching in place would discard this tab's data. Descriptions are cut
 * at 70 characters.
 */
export function OrgMenu({ selected, memberships, collapsed, wanted }: OrgMenuProps) {
  return (
    <Menu position="bottom-start" width={246} {...useOpened(wanted)}>
      <Menu.Target>
        <OrgTarget selected={selected} collapsed={collapsed} />
      </Menu.Target>
      <Menu.Dropdown aria-label={appTexts.organisations}>
        {staffMemberships(memberships).map(({ organisation }) => (
          <Menu.Item
            key={organisation.uid}
            component="a"
            href={`/org/${organisation.uid}/home`}
            target="_blank"
            rel="noopener"
            leftSection={
              <Avatar src={imageAt(organisation.logoUrl, 192) || '/org-default.svg'} size={26} radius="sm" alt="">
                {initials(organisation.name)}
              </Avatar>
            }
            rightSection={
              organisation.uid === selected?.organisation.uid ? (
                <IconCheck size={16} stroke={1.8} aria-label={appTexts.selected} />
              ) : null
            }
          >
            {organisation.name.trim() || commonTexts.notAvailable}
            {organisation.description.trim() !== '' && (
              <Text component="span" display="block" c="dimmed" fz="xs" className={classes.description}>
                {cut(organisation.description.trim(), DESCRIPTION_LENGTH)}
              </Text>
            )}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
