/** The person and the organisation, and the way to another organisation. */
import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type Membership, staffMemberships } from '~/features/orgs/memberships.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { nameOf } from '~/features/profile/model.ts';
import { cut, initials, NAME_LENGTH } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import classes from './org-menu.module.css';

interface OrgMenuProps {
  selected: Membership | null;
  memberships: readonly Membership[];
  collapsed: boolean;
}

/** Choosing an organisation opens its home in a new tab; this tab keeps its own (C-68). */
export function OrgMenu({ selected, memberships, collapsed }: OrgMenuProps) {
  const profile = useQuery(profileQuery);
  const person = profile.data === undefined ? '' : cut(nameOf(profile.data), NAME_LENGTH);
  const organisation = selected === null ? commonTexts.notAvailable : cut(selected.organisation.name, NAME_LENGTH);
  return (
    <Menu position="bottom-start" width={246}>
      <Menu.Target>
        <UnstyledButton
          className={classes.target}
          data-collapsed={collapsed || undefined}
          aria-label={`${person}, ${organisation}: choose organisation`}
        >
          <Avatar src={profile.data?.photoURL || null} radius="md" size={38} color="orange" alt="">
            {initials(profile.data === undefined ? '' : nameOf(profile.data))}
          </Avatar>
          {!collapsed && (
            <>
              <span className={classes.names}>
                <Text component="span" fw={600} fz="sm" className={classes.line}>
                  {person}
                </Text>
                <Text component="span" c="dimmed" fz="xs" className={classes.line}>
                  {organisation}
                </Text>
              </span>
              <IconSelector size={16} stroke={1.7} className={classes.selector} aria-hidden />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label="Organisations">
        {staffMemberships(memberships).map((membership) => (
          <Menu.Item
            key={membership.organisation.uid}
            component="a"
            href={`/org/${membership.organisation.uid}/home`}
            target="_blank"
            rel="noopener"
            leftSection={
              <Avatar src={membership.organisation.logoUrl || '/org-default.svg'} size={26} radius="sm" alt="">
                {initials(membership.organisation.name)}
              </Avatar>
            }
            rightSection={
              membership.organisation.uid === selected?.organisation.uid ? (
                <IconCheck size={16} stroke={1.8} aria-label="Selected" />
              ) : null
            }
          >
            {cut(membership.organisation.name, NAME_LENGTH)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
