/** The leads as a list, for narrow screens. */
import { Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { countryName } from '~/shared/lib/country.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { When } from '~/shared/ui/when.tsx';
import { leadTexts } from '../texts.ts';
import { LeadName } from './lead-name.tsx';
import { LeadType } from './lead-type.tsx';
import classes from './leads-list.module.css';
import { type LeadsProps, PLACEHOLDERS } from './leads-table.tsx';

export function LeadsList({ leads, now, onOpen }: LeadsProps) {
  if (leads === undefined) {
    return (
      <Surface flush>
        <div className={classes.list} aria-busy="true">
          {Array.from({ length: PLACEHOLDERS }, (_, row) => (
            <div key={row.toString()} className={classes.row}>
              <Skeleton circle height={40} width={40} />
              <div className={classes.placeholder}>
                <Skeleton height={12} width="60%" my={4} />
                <Skeleton height={10} width="40%" my={4} />
              </div>
            </div>
          ))}
        </div>
      </Surface>
    );
  }
  return (
    <Surface flush>
      <ul className={classes.list} aria-label={leadTexts.list}>
        {leads.map((lead) => {
          const about = [lead.profile?.company, countryName(lead.profile?.country ?? '')].filter(Boolean).join(' · ');
          return (
            <li key={lead.userId} className={classes.row}>
              <LeadName
                lead={lead}
                now={now}
                size={40}
                note={about || (lead.profileState === 'failed' ? '' : commonTexts.notAvailable)}
                onOpen={() => onOpen(lead)}
              />
              <div className={classes.end}>
                <LeadType lead={lead} />
                {typeof lead.lastSeen === 'string' && (
                  <Text c="dimmed" fz="xs" component="div">
                    <VisuallyHidden>{leadTexts.lastSeen} </VisuallyHidden>
                    <When time={lead.lastSeen} now={now} />
                  </Text>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </Surface>
  );
}
