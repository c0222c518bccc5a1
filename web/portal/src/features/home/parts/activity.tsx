/** What consenting people did recently. */
import { Avatar, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecentActivityOut } from '@vitrine/api';
import { subjectTitle } from '~/features/analytics/subject.ts';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { session } from '~/shared/api/session.ts';
import { initials } from '~/shared/lib/format.ts';
import { When } from '~/shared/ui/when.tsx';
import { activityQuery } from '../api/insights.ts';
import { Card, CardFailed, CardNote } from './card.tsx';
import classes from './insights.module.css';
import { insightTexts } from './texts.ts';

type Entry = RecentActivityOut;

export function Activity() {
  const { orgId } = useCurrentOrg();
  const query = useQuery(activityQuery(orgId));
  const entries = query.data;
  return (
    <Card title={insightTexts.activity}>
      {entries === undefined ? (
        <CardFailed />
      ) : entries.length === 0 ? (
        <CardNote title={insightTexts.noActivity} hint={insightTexts.noActivityHint} />
      ) : (
        <ul className={classes.list}>
          {entries.map((entry) => (
            <li key={`${entry.time} ${entry.userId} ${entry.type} ${entry.contentId ?? ''}`} className={classes.row}>
              <Avatar size={32} color="gray" alt="" aria-hidden>
                {initials(entry.displayName)}
              </Avatar>
              <div className={classes.words}>
                <What entry={entry} />
                <Text c="dimmed" fz="xs" component="div">
                  <When time={entry.time} now={session.now(query.dataUpdatedAt)} />
                </Text>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The person and what it did, as a link to the numbers of the item. */
function What({ entry }: { entry: Entry }) {
  const { orgId } = useCurrentOrg();
  const { displayName, type, contentId, contentTitle, playlistId, playlistTitle } = entry;
  const texts: Record<string, (title: string) => string> = insightTexts.activities;
  const words = (
    <>
      <strong>{displayName}</strong> {texts[type]?.(subjectTitle(entry)) ?? type}
    </>
  );
  return (
    <Text fz="sm" component="div" className={classes.what ?? ''}>
      {typeof contentId === 'string' && typeof contentTitle === 'string' ? (
        <Link
          to="/org/$orgId/analytics/content/$contentId"
          params={{ orgId, contentId }}
          className={classes.plain ?? ''}
        >
          {words}
        </Link>
      ) : typeof contentId !== 'string' && typeof playlistTitle === 'string' && typeof playlistId === 'string' ? (
        <Link
          to="/org/$orgId/analytics/playlists/$playlistId"
          params={{ orgId, playlistId }}
          className={classes.plain ?? ''}
        >
          {words}
        </Link>
      ) : (
        words
      )}
    </Text>
  );
}
