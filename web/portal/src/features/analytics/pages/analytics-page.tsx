/** /org/{orgId}/analytics: the organisation's watch time over a range. */
import { Select, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { chartMinutes } from '~/shared/lib/format.ts';
import { Page } from '~/shared/ui/page.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { watchTimeQuery } from '../api/analytics-queries.ts';
import { minutesOf, ranges, type Unit, units } from '../model.ts';
import { WatchTimeChart } from '../parts/watch-time-chart.tsx';
import { rangeOf } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';

export function AnalyticsPage() {
  const { orgId, timeZone } = useCurrentOrg();
  const range = rangeOf(useSearch({ from: '/private/shell/org/$orgId/analytics' }).range);
  const navigate = useNavigate({ from: '/org/$orgId/analytics' });
  const [unit, setUnit] = useState<Unit>('days');
  const series = useQuery(watchTimeQuery(orgId, timeZone, range, unit));
  return (
    <Page
      title={analyticsTexts.reports}
      actions={
        <>
          <Select
            aria-label={analyticsTexts.dateRange}
            w={170}
            data={ranges}
            value={range}
            allowDeselect={false}
            onChange={(value) => void navigate({ search: value === null ? {} : { range: value }, replace: true })}
          />
          <Select
            aria-label={analyticsTexts.interval}
            w={120}
            data={[...units]}
            value={unit}
            allowDeselect={false}
            onChange={(value) => setUnit(units.find((one) => one.value === value)?.value ?? 'days')}
          />
        </>
      }
    >
      <Surface as="section">
        <Text c="dimmed" fz="sm" component="h2" m={0}>
          {analyticsTexts.watchTime}
        </Text>
        {series.isError ? (
          <ErrorState message={analyticsTexts.contentError} onRetry={() => void series.refetch()} />
        ) : series.data === undefined ? (
          <>
            <Skeleton height={28} width={140} my={8} />
            <Skeleton height={300} />
          </>
        ) : (
          <>
            <Text className="figure" fz={28} fw={600} mb="md">
              {analyticsTexts.minutes(chartMinutes(series.data.total))}
            </Text>
            <WatchTimeChart points={minutesOf(series.data, unit, timeZone)} title={analyticsTexts.watchTime} />
            <Text c="dimmed" fz="xs" mt="xs">
              {analyticsTexts.zone(timeZone)}
            </Text>
          </>
        )}
      </Surface>
    </Page>
  );
}
