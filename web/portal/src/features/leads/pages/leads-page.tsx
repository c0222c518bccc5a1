/** /org/{orgId}/leads: the leads as a work list. */
import { Anchor, Button, Select, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFlame, IconSearchOff } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueries } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type LeadOut, messageOf, type Temperature } from '@vitrine/api';
import { Suspense, useRef } from 'react';
import { LoadNotice } from '~/features/analytics/parts/load-notice.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { session } from '~/shared/api/session.ts';
import { csvName } from '~/shared/lib/csv.ts';
import { download } from '~/shared/lib/download.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { Outdated } from '~/shared/ui/outdated.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { SearchField } from '~/shared/ui/search-field.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { exportLeads, leadProfilesQuery, leadsQuery } from '../api/lead-queries.ts';
import type { Lead } from '../model.ts';
import { LeadCounts } from '../parts/lead-counts.tsx';
import { LeadsList } from '../parts/leads-list.tsx';
import { LeadsTable } from '../parts/leads-table.tsx';
import { filterOf, type LeadFilter, type LeadSearch, sorts } from '../search.ts';
import { leadTexts } from '../texts.ts';
import classes from './leads-page.module.css';

const LeadInvite = lazyPart(() => import('../parts/lead-invite.tsx'), 'LeadInvite');
const LeadModal = lazyPart(() => import('../parts/lead-modal.tsx'), 'LeadModal');

/** Below this width, a list replaces the table. */
const NARROW = '(max-width: 48em)';

export function LeadsPage() {
  const { orgId, name } = useCurrentOrg();
  const search = useSearch({ from: '/private/shell/org/$orgId/leads' });
  const navigate = useNavigate({ from: '/org/$orgId/leads' });
  const change = (changes: LeadSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true, resetScroll: false });
  const filter = filterOf(search);
  const query = useInfiniteQuery(leadsQuery(orgId, filter));
  const { leads, ready, retry } = useLeads(orgId, query.data?.pages ?? []);
  const counts = query.data?.pages[0]?.counts;
  const none = query.data === undefined ? query.isError : leads.length === 0;
  const narrowed = filter.search !== '' || filter.temperature !== null;
  const toolbar = useRef<HTMLDivElement>(null);
  const showAll = () => {
    change({ search: undefined, temperature: undefined });
    // The button goes away.
    toolbar.current?.querySelector('input')?.focus();
  };
  const found =
    counts === undefined || query.isPlaceholderData ? '' : foundBy(filter, counts, leads, query.hasNextPage);
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const Leads = narrow ? LeadsList : LeadsTable;
  return (
    <Page
      title={leadTexts.titleOf(name)}
      // The file has all leads, whatever the search.
      actions={none && (query.isError || !narrowed) ? undefined : <CsvLink orgId={orgId} name={name} ready={ready} />}
    >
      <LeadCounts
        counts={counts}
        failed={query.isError}
        chosen={filter.temperature}
        onChoose={(temperature) => change({ temperature: temperature ?? undefined })}
      />
      <div ref={toolbar}>
        <Toolbar search={search} onChange={change} />
      </div>
      <VisuallyHidden role="status">{found}</VisuallyHidden>
      {retry !== undefined && (
        <LoadNotice query={{ isError: true, isPaused: false, refetch: retry }} older={leadTexts.profilesFailed} brief />
      )}
      {query.isError && query.data === undefined ? (
        <Surface>
          <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
        </Surface>
      ) : none ? (
        <Nothing narrowed={narrowed} onShowAll={showAll} />
      ) : (
        <Outdated when={query.isPlaceholderData}>
          <Leads
            leads={query.data === undefined ? undefined : leads}
            now={session.now(query.isPlaceholderData ? undefined : query.dataUpdatedAt)}
            sort={filter.sort}
            onSort={(sort) => change({ sort: sort === 'score' ? undefined : sort })}
            onOpen={({ userId }) => change({ lead: userId })}
          />
        </Outdated>
      )}
      <EndOfList
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage || query.isPlaceholderData}
        failure={query.isFetchNextPageError ? leadTexts.moreFailed : undefined}
        onMore={() => void query.fetchNextPage()}
      />
      <Suspense>
        {search.lead !== undefined && (
          <LeadModal
            key={search.lead}
            userId={search.lead}
            known={leads.find(({ userId }) => userId === search.lead)}
            onClose={() => change({ lead: undefined })}
          />
        )}
      </Suspense>
    </Page>
  );
}

/** What a search or a temperature has found, for screen readers. */
function foundBy(
  { search, temperature }: LeadFilter,
  counts: Record<Temperature, number>,
  leads: readonly Lead[],
  more: boolean,
): string {
  if (search !== '') return leadTexts.found(leads.length, more);
  // Of a temperature alone, the number is known.
  return temperature === null ? '' : leadTexts.found(counts[temperature], false);
}

/** The leads of all pages, with the profiles that have loaded. A lead that moved meanwhile may be on two pages. */
function useLeads(orgId: string, pages: readonly { data: LeadOut[] }[]) {
  const idsOf = (page: { data: readonly { userId: string }[] }) => page.data.map(({ userId }) => userId);
  const known = useQueries({ queries: pages.map((page) => leadProfilesQuery(orgId, idsOf(page))) });
  const leads = new Map<string, Lead>();
  pages.forEach(({ data }, page) => {
    const { data: profiles, isLoadingError } = known[page] ?? {};
    const profileState = profiles !== undefined ? 'known' : isLoadingError ? 'failed' : 'loading';
    for (const lead of data) {
      if (leads.has(lead.userId)) continue;
      leads.set(lead.userId, { ...lead, profile: profiles?.get(lead.userId), profileState });
    }
  });
  const failed = known.filter(({ isLoadingError }) => isLoadingError);
  return {
    leads: [...leads.values()],
    retry: failed.length === 0 ? undefined : () => failed.forEach((profiles) => void profiles.refetch()),
    // The last page may be empty; its profiles are never fetched.
    ready: pages.length > 0 && pages.every(({ data }, page) => data.length === 0 || known[page]?.data !== undefined),
  };
}

const sortChoices = sorts.map((value) => ({ value, label: leadTexts.sorts[value] }));

function Toolbar({ search, onChange }: { search: LeadSearch; onChange: (changes: LeadSearch) => void }) {
  return (
    <div className={classes.toolbar}>
      <SearchField
        className={classes.search}
        label={leadTexts.search}
        placeholder={leadTexts.searchHint}
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text === '' ? undefined : text })}
      />
      <Select
        aria-label={leadTexts.sort}
        w={170}
        data={sortChoices}
        value={search.sort ?? 'score'}
        allowDeselect={false}
        onChange={(value) => onChange({ sort: value === 'lastSeen' || value === 'newest' ? value : undefined })}
      />
    </div>
  );
}

function Nothing({ narrowed, onShowAll }: { narrowed: boolean; onShowAll: () => void }) {
  return (
    <Surface>
      {narrowed ? (
        <EmptyState
          icon={IconSearchOff}
          title={leadTexts.noMatch}
          hint={leadTexts.noMatchHint}
          action={
            <Button variant="default" onClick={onShowAll}>
              {leadTexts.showAll}
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={IconFlame}
          title={leadTexts.none}
          hint={leadTexts.noneHint}
          action={
            <Suspense>
              <LeadInvite />
            </Suspense>
          }
        />
      )}
    </Surface>
  );
}

/** Offered once the profiles of the leads on the screen have loaded; until then its room is kept. */
function CsvLink({ orgId, name, ready }: { orgId: string; name: string; ready: boolean }) {
  const save = useMutation({
    mutationFn: async () => download(csvName(name, 'leads'), await exportLeads(orgId)),
    meta: { failure: 'server' },
  });
  return (
    <Anchor
      component="button"
      type="button"
      fz="sm"
      fw={550}
      disabled={save.isPending}
      className={classes.csv ?? ''}
      style={ready ? {} : { visibility: 'hidden' }}
      onClick={() => save.mutate()}
    >
      {leadTexts.downloadCsv}
    </Anchor>
  );
}
