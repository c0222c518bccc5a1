/** /org/{orgId}/audit: who changed what. */
import { Anchor, Badge, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconHistory, IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditAction, type AuditEntryOut, messageOf } from '@vitrine/api';
import { useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { orgTexts } from '~/features/orgs/texts.ts';
import { BackLink } from '~/shared/ui/back-link.tsx';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { auditQuery } from '../api/audit-queries.ts';
import { auditActions, changesOf, daysOf, timeOf } from '../model.ts';
import { auditTexts } from '../texts.ts';
import classes from './audit-page.module.css';

const ALL = 'all';

interface Person {
  userId: string;
  displayName: string;
}

export function AuditPage() {
  const { orgId } = useCurrentOrg();
  const [action, setAction] = useState<AuditAction | null>(null);
  const [person, setPerson] = useState<Person | null>(null);
  const query = useInfiniteQuery(auditQuery(orgId, { action, userId: person?.userId ?? null }));
  const entries = query.data?.pages.flat();
  return (
    <Page title={orgTexts.auditLog} above={<BackLink to={`/org/${orgId}/profile`} label={auditTexts.back} />}>
      <Group mb="md" gap="sm">
        <Select
          aria-label={auditTexts.action}
          w={{ base: '100%', sm: 240 }}
          data={[
            { value: ALL, label: auditTexts.all },
            ...auditActions.map((value) => ({ value, label: auditTexts.actions[value] })),
          ]}
          value={action ?? ALL}
          onChange={(value) => setAction(value === null || value === ALL ? null : (value as AuditAction))}
          allowDeselect={false}
          checkIconPosition="right"
        />
        {person !== null && (
          <Badge
            component="button"
            size="lg"
            variant="default"
            className={classes.chip ?? ''}
            rightSection={<IconX size={12} aria-hidden />}
            onClick={() => setPerson(null)}
          >
            {auditTexts.only(person.displayName)}
          </Badge>
        )}
        <Text c="dimmed" fz="sm">
          {auditTexts.hint}
        </Text>
      </Group>
      {query.isError && entries === undefined ? (
        <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : entries === undefined ? (
        <Stack gap={1}>
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index.toString()} height={64} radius="md" />
          ))}
        </Stack>
      ) : entries.length === 0 ? (
        <Surface>
          <EmptyState
            icon={IconHistory}
            title={auditTexts.none}
            {...(action === null && person === null ? {} : { hint: auditTexts.noneHint })}
          />
        </Surface>
      ) : (
        <Stack gap="lg">
          {daysOf(entries).map(({ day, entries: onDay }) => (
            <section key={day} aria-label={day}>
              <Title order={2} fz={16} mb="xs">
                {day}
              </Title>
              <Surface flush>
                <ol className={classes.entries}>
                  {onDay.map((entry) => (
                    <Entry key={entry.uid} entry={entry} onPerson={setPerson} />
                  ))}
                </ol>
              </Surface>
            </section>
          ))}
        </Stack>
      )}
      <EndOfList
        hasMore={query.hasNextPage && !query.isFetchNextPageError}
        busy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </Page>
  );
}

interface EntryProps {
  entry: AuditEntryOut;
  onPerson: (person: Person) => void;
}

function Entry({ entry, onPerson }: EntryProps) {
  const { actor, target } = entry;
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <Text fw={600} span>
          {auditTexts.actions[entry.action]}
        </Text>
        {target.name !== '' && (
          <Text span className={classes.target ?? ''}>
            {target.name}
          </Text>
        )}
      </div>
      <Text c="dimmed" fz="sm" component="div">
        {actor ? <Actor actor={actor} onPerson={onPerson} /> : auditTexts.system} ·{' '}
        <time dateTime={entry.time} className="tabular">
          {timeOf(entry.time)}
        </time>
      </Text>
      {changesOf(entry).map(({ field, before, after }) => (
        <Text key={field} fz="sm" className={classes.change ?? ''}>
          {field}:{' '}
          {before !== null && (
            <>
              <del>{before}</del> {auditTexts.to}{' '}
            </>
          )}
          <ins>{after}</ins>
        </Text>
      ))}
    </li>
  );
}

function Actor({ actor, onPerson }: { actor: Person; onPerson: (person: Person) => void }) {
  const displayName = actor.displayName || auditTexts.deleted;
  return (
    <Anchor
      component="button"
      type="button"
      fz="sm"
      c="inherit"
      underline="always"
      aria-label={auditTexts.by(displayName)}
      onClick={() => onPerson({ userId: actor.userId, displayName })}
    >
      {displayName}
    </Anchor>
  );
}
