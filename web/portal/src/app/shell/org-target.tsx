/** The button that opens the organisation menu, showing the person and the organisation. */
import { Avatar, Text, UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { imageAt } from '@vitrine/brand/image-sizes';
import type { ComponentProps } from 'react';
import type { Membership } from '~/features/orgs/memberships.ts';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { nameOf } from '~/features/profile/model.ts';
import { cut, initials, NAME_LENGTH } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { appTexts } from '../texts.ts';
import classes from './org-menu.module.css';

interface OrgTargetProps extends ComponentProps<'button'> {
  selected: Membership | null;
  collapsed: boolean;
}

/** Names are cut at 18 characters; an organisation without a name shows N/A. */
export function OrgTarget({ selected, collapsed, ...button }: OrgTargetProps) {
  const profile = useQuery(profileQuery);
  const name = profile.data === undefined ? '' : nameOf(profile.data);
  const person = cut(name, NAME_LENGTH);
  const organisation = cut(selected?.organisation.name.trim() || commonTexts.notAvailable, NAME_LENGTH);
  return (
    <UnstyledButton
      {...button}
      className={classes.target}
      data-collapsed={collapsed || undefined}
      aria-label={appTexts.chooseOrganisation(person, organisation)}
      aria-haspopup="menu"
    >
      <Avatar src={imageAt(profile.data?.photoURL ?? '', 96) || null} radius="md" size={38} color="orange" alt="">
        {initials(name)}
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
  );
}
