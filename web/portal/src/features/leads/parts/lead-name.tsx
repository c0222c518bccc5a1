/** Avatar, name and last visit of a lead; the name opens the details. */
import { Avatar, Skeleton, Text } from '@mantine/core';
import { imageAt } from '@vitrine/brand/image-sizes';
import { nameOf } from '~/features/profile/model.ts';
import { initials } from '~/shared/lib/format.ts';
import { When } from '~/shared/ui/when.tsx';
import type { Lead } from '../model.ts';
import { leadTexts } from '../texts.ts';
import classes from './lead-name.module.css';

interface LeadNameProps {
  lead: Lead;
  now: number;
  size: number;
  /** Shown below the name; the last visit by default. */
  note?: string | undefined;
  onOpen: () => void;
}

export function LeadName({ lead, now, size, note, onOpen }: LeadNameProps) {
  const { profile, profileState } = lead;
  const name = profile === undefined ? leadTexts.lead : nameOf(profile);
  return (
    <div className={classes.person}>
      <Avatar src={imageAt(profile?.photoURL ?? '', 96) || null} alt="" size={size} color="purple" flex="none">
        {profile === undefined ? null : initials(name)}
      </Avatar>
      <div className={classes.words}>
        <button
          type="button"
          className={classes.name}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          {profileState === 'loading' ? (
            <Skeleton component="span" height={12} width={110} className={classes.pending ?? ''} />
          ) : (
            name
          )}
        </button>
        <Text c="dimmed" fz="xs" component="div" truncate>
          {note !== undefined ? (
            note
          ) : typeof lead.lastSeen === 'string' ? (
            <>
              {leadTexts.lastSeen} <When time={lead.lastSeen} now={now} />
            </>
          ) : (
            leadTexts.neverSeen
          )}
        </Text>
      </div>
    </div>
  );
}
