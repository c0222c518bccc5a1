/** The entries of an audit log, day by day. */
import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AuditEntryOut, messageOf } from '@vitrine/api';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { changesOf, daysOf, goneOf, nameOf, pageOf, reasonOf, systemOf, timeOf, titleOf } from '../model.ts';
import { auditTexts } from '../texts.ts';
import classes from './audit-log.module.css';

/** A person who made changes. */
export interface AuditPerson {
  userId: string;
  displayName: string;
}

interface AuditLogProps {
  query: UseInfiniteQueryResult<InfiniteData<AuditEntryOut[]>>;
  /** The organization whose log it is; null for that of a billing account. */
  orgId?: string | null;
  /** Whether it shows only some entries. */
  filtered?: boolean;
  /** Called with the person whose changes to show. */
  onPerson?: (person: AuditPerson) => void;
}

export function AuditLog({ query, orgId = null, filtered = false, onPerson }: AuditLogProps) {
  const entries = query.data?.pages.flat();
  if (query.isError && entries === undefined) {
    return <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (entries === undefined) {
    return (
      <Stack gap={1}>
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index.toString()} height={64} radius="md" />
        ))}
      </Stack>
    );
  }
  if (entries.length === 0) {
    return (
      <Surface>
        <EmptyState icon={IconHistory} title={auditTexts.none} {...(filtered ? { hint: auditTexts.noneHint } : {})} />
      </Surface>
    );
  }
  return (
    <>
      <Stack gap="lg">
        {daysOf(entries).map(({ day, entries: onDay }) => (
          <section key={day} aria-label={day}>
            <Title order={2} fz={16} mb="xs">
              {day}
            </Title>
            <Surface flush>
              <ol className={classes.entries}>
                {onDay.map((entry) => (
                  <Entry key={entry.uid} entry={entry} orgId={orgId} onPerson={onPerson} />
                ))}
              </ol>
            </Surface>
          </section>
        ))}
      </Stack>
      <EndOfList
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failure={query.isFetchNextPageError ? auditTexts.moreFailed : undefined}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  );
}

interface EntryProps {
  entry: AuditEntryOut;
  orgId: string | null;
  onPerson: ((person: AuditPerson) => void) | undefined;
}

function Entry({ entry, orgId, onPerson }: EntryProps) {
  const { actor } = entry;
  const reason = reasonOf(entry);
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <Text fw={600} span>
          {titleOf(entry)}
        </Text>
        <Target entry={entry} orgId={orgId} />
      </div>
      <Text c="dimmed" fz="sm" component="div">
        {actor ? <Actor actor={actor} onPerson={onPerson} /> : systemOf(entry)} ·{' '}
        <time dateTime={entry.time} className="tabular">
          {timeOf(entry.time)}
        </time>
      </Text>
      {reason !== null && <Text fz="sm">{reason}</Text>}
      {(reason === null ? changesOf(entry) : []).map(({ field, before, after }) => (
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

/** What was changed, as a link if it has a page. */
function Target({ entry, orgId }: { entry: AuditEntryOut; orgId: string | null }) {
  const { target } = entry;
  const [name, gone] = [nameOf(target), goneOf(entry)];
  const page = orgId === null ? null : pageOf(target, orgId);
  if (name === '') return null;
  return (
    <Text span className={classes.target ?? ''}>
      {page === null ? (
        name
      ) : (
        <Anchor component={Link} to={page} c="inherit" underline="always">
          {name}
        </Anchor>
      )}
      {gone !== null && (
        <Text span c="dimmed" fz="sm">
          {gone}
        </Text>
      )}
    </Text>
  );
}

function Actor({ actor, onPerson }: { actor: AuditPerson; onPerson: EntryProps['onPerson'] }) {
  const displayName = actor.displayName || auditTexts.deleted;
  if (onPerson === undefined) return displayName;
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
