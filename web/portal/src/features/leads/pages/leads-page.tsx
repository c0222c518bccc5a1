/** /org/{orgId}/leads: leads by temperature. */
import { Anchor, SimpleGrid } from '@mantine/core';
import { IconFlame } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueries } from '@tanstack/react-query';
import { messageOf } from '@vitrine/api';
import { Suspense, useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { download } from '~/shared/lib/download.ts';
import { count } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { EndOfList } from '~/shared/ui/end-of-list.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { Stat } from '~/shared/ui/stat.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { exportLeads, leadProfilesQuery, leadsQuery } from '../api/lead-queries.ts';
import { csvName, type Lead } from '../model.ts';
import { LeadsTable } from '../parts/leads-table.tsx';
import { leadTexts } from '../texts.ts';

const LeadModal = lazyPart(() => import('../parts/lead-modal.tsx'), 'LeadModal');

export function LeadsPage() {
  const { orgId, name } = useCurrentOrg();
  const [open, setOpen] = useState<Lead | null>(null);
  const query = useInfiniteQuery(leadsQuery(orgId));
  const pages = query.data?.pages ?? [];
  const known = useQueries({
    queries: pages.map(({ data }) =>
      leadProfilesQuery(
        orgId,
        data.map(({ userId }) => userId),
      ),
    ),
  });
  const leads = pages.flatMap(({ data }, page) =>
    data.map((lead): Lead => ({ ...lead, profile: known[page]?.data?.get(lead.userId) })),
  );
  const loading = query.isPending || known.some(({ isLoading }) => isLoading);
  // The last page may be empty; its profiles are never fetched.
  const allKnown = pages.every(({ data }, page) => data.length === 0 || known[page]?.data !== undefined);
  return (
    <Page
      title={leadTexts.titleOf(name)}
      actions={leads.length > 0 && allKnown ? <CsvLink orgId={orgId} name={name} /> : undefined}
    >
      <Counts counts={query.data?.pages[0]?.counts} failed={query.isError} />
      {query.isError ? (
        <Surface>
          <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
        </Surface>
      ) : !loading && leads.length === 0 ? (
        <Surface>
          <EmptyState icon={IconFlame} title={leadTexts.none} hint={leadTexts.noneHint} />
        </Surface>
      ) : (
        <LeadsTable leads={loading ? undefined : leads} onOpen={setOpen} />
      )}
      <EndOfList
        hasMore={query.hasNextPage}
        busy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
      <Suspense>{open !== null && <LeadModal lead={open} onClose={() => setOpen(null)} />}</Suspense>
    </Page>
  );
}

interface CountsProps {
  counts: { total: number; hot: number; warm: number; cold: number } | undefined;
  failed: boolean;
}

function Counts({ counts, failed }: CountsProps) {
  const figure = (value: number | undefined) =>
    value === undefined ? (failed ? commonTexts.notAvailable : undefined) : count(value);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} mb="lg">
      <Stat label={leadTexts.total} value={figure(counts?.total)} />
      <Stat label={leadTexts.hot} value={figure(counts?.hot)} />
      <Stat label={leadTexts.warm} value={figure(counts?.warm)} />
      <Stat label={leadTexts.cold} value={figure(counts?.cold)} />
    </SimpleGrid>
  );
}

/** Offered once the profiles of the leads on the screen have loaded. */
function CsvLink({ orgId, name }: { orgId: string; name: string }) {
  const save = useMutation({
    mutationFn: async () => download(csvName(name), await exportLeads(orgId)),
    meta: { failure: 'server' },
  });
  return (
    <Anchor component="button" type="button" fz="sm" fw={550} disabled={save.isPending} onClick={() => save.mutate()}>
      {leadTexts.downloadCsv}
    </Anchor>
  );
}
