/** Emails to staff, which each person turns on for each organisation. */
import { Skeleton, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf, type StaffEmailsOut } from '@vitrine/api';
import { membershipsQuery } from '~/features/orgs/api/org-queries.ts';
import { staffMemberships } from '~/features/orgs/memberships.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { staffEmailsQuery, useChangeStaffEmails } from '../api/staff-emails.ts';
import { settingsTexts } from '../texts.ts';
import { Card } from './card.tsx';
import classes from './emails.module.css';
import { Section } from './section.tsx';

/** Shows nothing to people who are not staff anywhere. */
export function Emails() {
  const memberships = useQuery(membershipsQuery);
  const orgs = staffMemberships(memberships.data ?? []).map(({ organisation }) => organisation);
  if (orgs.length === 0) return null;
  return (
    <Section title={settingsTexts.emailsTitle} hint={settingsTexts.emailsHint}>
      {orgs.map(({ uid, name }) => (
        <OrgEmails key={uid} orgId={uid} name={name} />
      ))}
    </Section>
  );
}

const kinds = [
  { key: 'hotLeads', ...settingsTexts.emails.hotLeads },
  { key: 'weeklySummary', ...settingsTexts.emails.weeklySummary },
] as const satisfies readonly { key: keyof StaffEmailsOut; name: string; about: string }[];

function OrgEmails({ orgId, name }: { orgId: string; name: string }) {
  const emails = useQuery(staffEmailsQuery(orgId));
  const change = useChangeStaffEmails(orgId);
  return (
    <Card title={name}>
      {emails.data === undefined && emails.isError ? (
        <ErrorState message={messageOf(emails.error)} onRetry={() => void emails.refetch()} />
      ) : (
        <ul className={classes.list} aria-label={settingsTexts.emailsOf(name)}>
          {kinds.map(({ key, name: kind, about }) => (
            <li key={key} className={classes.row}>
              <div className={classes.words}>
                <Text fw={550}>{kind}</Text>
                <Text c="dimmed" fz="sm">
                  {about}
                </Text>
              </div>
              {emails.data === undefined ? (
                <Skeleton width={38} height={20} radius="xl" />
              ) : (
                <Switch
                  aria-label={settingsTexts.emailNamed(kind, name)}
                  checked={emails.data[key]}
                  onChange={(event) => change.mutate({ [key]: event.currentTarget.checked })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
