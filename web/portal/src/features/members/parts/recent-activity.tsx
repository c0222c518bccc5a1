/** What a consenting person did in the last weeks. */
import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { useState } from 'react';
import { session } from '~/shared/api/session.ts';
import { ErrorState } from '~/shared/ui/state.tsx';
import { Ago } from '~/shared/ui/when.tsx';
import { historyQuery } from '../api/member-queries.ts';
import { activityText } from '../model.ts';
import { memberTexts } from '../texts.ts';
import classes from './recent-activity.module.css';

/** Entries shown initially. */
const FEW = 5;

export function RecentActivity({ orgId, userId }: { orgId: string; userId: string }) {
  const query = useQuery(historyQuery(orgId, userId));
  const [all, setAll] = useState(false);
  const entries = all ? query.data : query.data?.slice(0, FEW);
  return (
    <section>
      <Title order={3} fz={14} mb={6}>
        {memberTexts.activity}
      </Title>
      {query.isLoadingError ? (
        <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : entries === undefined ? (
        <Stack gap={8}>
          {Array.from({ length: 3 }, (_, index) => (
            <Skeleton key={index.toString()} height={18} />
          ))}
        </Stack>
      ) : entries.length === 0 ? (
        <Text c="dimmed" fz="sm">
          {memberTexts.noActivity}
        </Text>
      ) : (
        <ul className={classes.entries} aria-label={memberTexts.activity}>
          {entries.map((entry) => (
            <li key={`${entry.time} ${entry.type} ${entry.contentId ?? ''}`} className={classes.entry}>
              <Text fz="sm" className={classes.what ?? ''}>
                {activityText(entry)}
              </Text>
              <Text c="dimmed" fz="xs" className={classes.when ?? ''}>
                <Ago time={entry.time} now={session.now(query.dataUpdatedAt)} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {!all && (query.data?.length ?? 0) > FEW && (
        <Button variant="subtle" size="compact-sm" className={classes.all ?? ''} onClick={() => setAll(true)}>
          {memberTexts.allActivity(query.data?.length ?? 0)}
        </Button>
      )}
    </section>
  );
}
