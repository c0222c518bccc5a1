/** The leads as a list, for narrow screens. */
import { Skeleton, Text } from '@mantine/core';
import { countryName } from '~/shared/lib/country.ts';
import { Surface } from '~/shared/ui/surface.tsx';
import { leadTexts } from '../texts.ts';
import { LeadName } from './lead-name.tsx';
import { LeadType } from './lead-type.tsx';
import classes from './leads-list.module.css';
import { type LeadsProps, PLACEHOLDERS } from './leads-table.tsx';

export function LeadsList({ leads, now, isPending, onOpen }: LeadsProps) {
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
              <LeadName lead={lead} now={now} pending={isPending(lead)} size={40} onOpen={() => onOpen(lead)} />
              <div className={classes.end}>
                <LeadType lead={lead} />
                {about !== '' && (
                  <Text c="dimmed" fz="xs" truncate>
                    {about}
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
