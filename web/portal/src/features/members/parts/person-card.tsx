/** One person: staff with a role, or an app user with a consent decision. */
import { Avatar, Badge, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { UserOut } from '@vitrine/api';
import { imageAt } from '@vitrine/brand/image-sizes';
import { roleLabels } from '~/features/orgs/roles.ts';
import { initials } from '~/shared/lib/format.ts';
import { When } from '~/shared/ui/when.tsx';
import { hasLeft, isStaffPerson, personName } from '../model.ts';
import { memberTexts } from '../texts.ts';
import classes from './person-card.module.css';

interface PersonCardProps {
  person: UserOut;
  now: number;
  onOpen: () => void;
}

export function PersonCard({ person, now, onOpen }: PersonCardProps) {
  const name = personName(person);
  return (
    <article className={classes.card}>
      <Avatar
        src={imageAt(person.user.photoURL, 96) || null}
        alt=""
        size={44}
        color={isStaffPerson(person) ? 'orange' : 'purple'}
      >
        {initials(name)}
      </Avatar>
      <div className={classes.words}>
        <div className={classes.head}>
          <button type="button" className={classes.name} onClick={onOpen}>
            {name}
          </button>
          <Badge color={isStaffPerson(person) ? 'orange' : 'gray'} className={classes.role ?? ''}>
            {roleLabels[person.role]}
          </Badge>
          {person.blocked && <Badge color="red">{memberTexts.blocked}</Badge>}
        </div>
        <Text c="dimmed" fz="xs" truncate>
          {person.user.email}
        </Text>
        <ConsentLine person={person} now={now} />
        <LastSeenLine person={person} now={now} />
      </div>
    </article>
  );
}

/** When a consenting person was last active; nothing if unknown. */
export function LastSeenLine({ person, now }: { person: UserOut; now: number }) {
  if (typeof person.lastSeenAt !== 'string') return null;
  return (
    <Text fz="xs" c="dimmed" component="div">
      {memberTexts.lastSeen} <When time={person.lastSeenAt} now={now} />
    </Text>
  );
}

/** The consent decision and its time; nothing for people who were never asked. */
export function ConsentLine({ person, now }: { person: UserOut; now: number }) {
  if (typeof person.consent !== 'boolean') return null;
  const Icon = person.consent ? IconCircleCheck : IconCircleX;
  return (
    <Text fz="xs" c="dimmed" className={classes.consent} component="div">
      <Icon size={14} stroke={1.8} className={person.consent ? classes.yes : classes.no} aria-hidden />
      <span>
        {person.consent ? memberTexts.consentGiven : memberTexts.noConsent}
        {typeof person.timeConsent === 'string' && (
          <>
            {' · '}
            <When time={person.timeConsent} now={now} />
          </>
        )}
        {hasLeft(person) && ` · ${memberTexts.hasLeft}`}
      </span>
    </Text>
  );
}
