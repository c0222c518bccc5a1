/** How many views counted, and why the others did not. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { VerdictsOut } from '@vitrine/api';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { exactMinutes, percent } from '~/shared/lib/format.ts';
import { useKept } from '~/shared/lib/kept.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Outdated } from '~/shared/ui/outdated.tsx';
import { verdictsQuery } from '../api/analytics-queries.ts';
import { olderFigures } from '../older.ts';
import type { Range } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';
import { LoadNotice } from './load-notice.tsx';
import { Section } from './section.tsx';
import { type Share, ShareList } from './share-list.tsx';

export function Verdicts({ range }: { range: Range }) {
  const { orgId, timeZone } = useCurrentOrg();
  const query = useQuery(verdictsQuery(orgId, timeZone, range));
  const kept = useKept(query.data, range);
  const older = olderFigures(kept?.tag, range);
  return (
    <Section title={analyticsTexts.verdicts} zone={timeZone} zoneSince={kept?.value.timeZoneSince}>
      <LoadNotice query={query} older={older} brief />
      <Outdated when={query.isFetching && older !== undefined}>
        {(kept !== undefined || !query.isError) && <Reasons data={kept?.value} />}
      </Outdated>
    </Section>
  );
}

function Reasons({ data }: { data: VerdictsOut | undefined }) {
  if (data === undefined) return <ShareList label={analyticsTexts.verdicts} rows={undefined} empty="" />;
  const left = data.notCounted.reduce((sum, { reason, views }) => sum + (reason === 'cap' ? 0 : views), 0);
  const all = data.counted + left;
  if (all === 0) return <Text c="dimmed">{analyticsTexts.noneSeen}</Text>;
  return (
    <>
      <Text mb="md">{left === 0 ? analyticsTexts.allCounted : analyticsTexts.notCounted(percent(left / all))}</Text>
      <ShareList
        label={analyticsTexts.verdicts}
        color="teal"
        empty={analyticsTexts.allCounted}
        rows={[
          {
            key: 'counted',
            label: analyticsTexts.counted,
            amount: analyticsTexts.views(data.counted),
            share: data.counted / all,
          },
          ...data.notCounted.map((one) => rowOf(one, all)),
        ]}
      />
    </>
  );
}

/** Watch time over the caps is not a number of views. */
function rowOf({ reason, views, watchTimeMs }: VerdictsOut['notCounted'][number], all: number): Share {
  const known: Record<string, { label: string; hint: string }> = analyticsTexts.reasons;
  const { label, hint } = known[reason] ?? { label: reason, hint: undefined };
  if (typeof watchTimeMs === 'number' && reason === 'cap') {
    return { key: reason, label, hint, amount: commonTexts.minutes(exactMinutes(watchTimeMs)) };
  }
  return { key: reason, label, hint, amount: analyticsTexts.views(views), share: views / all };
}
