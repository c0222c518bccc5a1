/** The hottest leads; each opens its details. */
import { Avatar, Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { temperatures } from '~/features/leads/model.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { session } from '~/shared/api/session.ts';
import { initials } from '~/shared/lib/format.ts';
import { When } from '~/shared/ui/when.tsx';
import { newLeadsQuery } from '../api/insights.ts';
import { Card, CardFailed, CardNote } from './card.tsx';
import classes from './insights.module.css';
import { insightTexts } from './texts.ts';

export function HotLeads() {
  const { orgId, timeZone } = useCurrentOrg();
  const query = useQuery(newLeadsQuery(orgId, timeZone));
  const hot = query.data?.hot;
  return (
    <Card title={insightTexts.hotLeads} link={{ to: `/org/${orgId}/leads`, label: insightTexts.toLeads }}>
      {hot === undefined ? (
        <CardFailed />
      ) : hot.length === 0 ? (
        <CardNote title={insightTexts.noHot} hint={insightTexts.noHotHint} />
      ) : (
        <ul className={classes.list}>
          {hot.map(({ userId, displayName, score, temperature, lastSeen }) => (
            <li key={userId} className={classes.row}>
              <Avatar size={36} color="purple" alt="" aria-hidden>
                {initials(displayName)}
              </Avatar>
              <div className={classes.words}>
                <Link
                  to="/org/$orgId/leads"
                  params={{ orgId }}
                  search={{ lead: userId }}
                  className={classes.name ?? ''}
                >
                  {displayName}
                </Link>
                {typeof lastSeen === 'string' && (
                  <Text c="dimmed" fz="xs" component="div">
                    {insightTexts.seen} <When time={lastSeen} now={session.now(query.dataUpdatedAt)} />
                  </Text>
                )}
              </div>
              <Badge color={temperatures[temperature].color} flex="none" className="tabular">
                {temperatures[temperature].label} {score}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
