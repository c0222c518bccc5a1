/** Temperature and score of a lead. */
import { Badge } from '@mantine/core';
import type { LeadOut } from '@vitrine/api';
import { temperatures } from '../model.ts';
import { leadTexts } from '../texts.ts';
import classes from './lead-type.module.css';

export function LeadType({ lead }: { lead: Pick<LeadOut, 'temperature' | 'score'> }) {
  const { label, color } = temperatures[lead.temperature];
  return (
    <span className={classes.type}>
      <Badge color={color} flex="none" miw={56}>
        {label}
      </Badge>
      <span className={classes.score} title={leadTexts.scoreOf(lead.score)}>
        {lead.score}
      </span>
      <span className={classes.track} aria-hidden="true">
        <span style={{ width: `${lead.score}%`, background: `var(--vt-${color}-6)` }} />
      </span>
    </span>
  );
}
