/** The organisation's watch time over a range, by interval. */
import { Select, Skeleton, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { csvName } from '~/shared/lib/csv.ts';
import { chartMinutes, exactMinutes, twoDecimals } from '~/shared/lib/format.ts';
import { useKept } from '~/shared/lib/kept.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Outdated } from '~/shared/ui/outdated.tsx';
import { watchTimeBeforeQuery, watchTimeQuery } from '../api/analytics-queries.ts';
import { byInterval, type ChartPoint, minutesOf, type Unit, units } from '../model.ts';
import { olderBars } from '../older.ts';
import type { Range } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';
import { CsvButton } from './csv-button.tsx';
import { LoadNotice } from './load-notice.tsx';
import { Section } from './section.tsx';
import { TimeBars } from './time-bars.tsx';

export function WatchTime({ range }: { range: Range }) {
  const { orgId, name, timeZone } = useCurrentOrg();
  const [unit, setUnit] = useState<Unit>('days');
  const [compare, setCompare] = useState(false);
  const query = useQuery(watchTimeQuery(orgId, timeZone, range, unit));
  const earlier = useQuery({ ...watchTimeBeforeQuery(orgId, timeZone, range), enabled: compare });
  const kept = useKept(query.data, { range, unit });
  const points = kept === undefined ? undefined : minutesOf(kept.value, kept.tag.unit, kept.value.timeZone ?? timeZone);
  const older = olderBars(kept?.tag, range, unit);
  // Both the bars and these values stay until newer ones arrive, and are compared only if they are of the chosen range.
  const comparable = !earlier.isPlaceholderData && older === undefined;
  const earlierShown = compare && comparable ? earlier.data : undefined;
  const limited = typeof earlierShown?.limitedFrom === 'string';
  const before =
    limited || points === undefined || earlierShown === undefined
      ? undefined
      : byInterval(
          points,
          earlierShown.data.map(({ value }) => value),
        ).map(chartMinutes);
  return (
    <Section
      title={analyticsTexts.watchTime}
      zone={timeZone}
      zoneSince={kept?.value.timeZoneSince}
      actions={
        <>
          <Switch
            label={analyticsTexts.compare}
            checked={compare}
            onChange={(event) => setCompare(event.currentTarget.checked)}
          />
          <Select
            aria-label={analyticsTexts.interval}
            w={120}
            data={[...units]}
            value={unit}
            allowDeselect={false}
            onChange={(value) => setUnit(units.find((one) => one.value === value)?.value ?? 'days')}
          />
          <CsvButton
            title={analyticsTexts.watchTime}
            fileName={csvName(name, 'watch time', kept?.tag.range ?? range)}
            rows={points === undefined ? undefined : rowsOf(points, before)}
          />
        </>
      }
    >
      <LoadNotice
        query={compare && !query.isError && (earlier.isError || !query.isPaused) ? earlier : query}
        older={older}
        brief
      />
      {kept === undefined || points === undefined ? (
        !query.isError && (
          <>
            <Skeleton height={28} width={140} my={7} />
            <Skeleton height={300} mt="md" />
          </>
        )
      ) : (
        <Outdated when={query.isFetching && older !== undefined}>
          <Text className="figure" fz={28} fw={600} mb="md">
            {commonTexts.minutes(exactMinutes(kept.value.total))}
          </Text>
          {limited && (
            <Text c="dimmed" fz="sm" mb="sm" role="status">
              {analyticsTexts.noComparison}
            </Text>
          )}
          <TimeBars
            title={analyticsTexts.minutesColumn}
            points={points}
            before={before}
            figure={twoDecimals}
            format={(value) => commonTexts.minutes(twoDecimals(value))}
          />
        </Outdated>
      )}
    </Section>
  );
}

function rowsOf(points: readonly ChartPoint[], before: readonly number[] | undefined): (string | number)[][] {
  const head = [analyticsTexts.begins, analyticsTexts.period, analyticsTexts.minutesColumn];
  return [
    before === undefined ? head : [...head, analyticsTexts.minutesBefore],
    ...points.map(({ time, label, value }, index) => {
      const row = [time, label, value.toFixed(2)];
      return before === undefined ? row : [...row, (before[index] ?? 0).toFixed(2)];
    }),
  ];
}
