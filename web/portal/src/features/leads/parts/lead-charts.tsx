/** What a person did in the last 28 days: sign-ins, watch time and views by day. */
import { Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SeriesOut } from '@vitrine/api';
import { type PersonSeries, personSeriesQuery } from '~/features/analytics/api/analytics-queries.ts';
import { type ChartPoint, labelled, minutesOf } from '~/features/analytics/model.ts';
import { TimeBars } from '~/features/analytics/parts/time-bars.tsx';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { count, twoDecimals } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { leadTexts } from '../texts.ts';
import classes from './lead-modal.module.css';
import { leadDetailTexts } from './texts.ts';

interface ChartProps {
  userId: string;
  series: PersonSeries;
  title: string;
  color: string;
  pointsOf: (series: SeriesOut, timeZone: string) => ChartPoint[];
  figure: (value: number) => string;
}

const HEIGHT = 150;

const counts = (series: SeriesOut, timeZone: string) => labelled(series.data, timeZone);

export function LeadCharts({ userId }: { userId: string }) {
  const { timeZone } = useCurrentOrg();
  return (
    <div>
      <div className={classes.charts}>
        <Chart
          userId={userId}
          series="visits"
          title={leadTexts.signIns}
          color="teal"
          pointsOf={counts}
          figure={count}
        />
        <Chart
          userId={userId}
          series="watch_time"
          title={leadTexts.watchTime}
          color="orange"
          pointsOf={(series, zone) => minutesOf(series, 'days', zone)}
          figure={twoDecimals}
        />
        <div className={classes.wide}>
          <Chart
            userId={userId}
            series="views"
            title={leadTexts.views}
            color="purple"
            pointsOf={counts}
            figure={count}
          />
        </div>
      </div>
      <Text c="dimmed" fz="xs" mt="xs">
        {leadDetailTexts.lastDays} · {commonTexts.daysFollow(timeZone)}
      </Text>
    </div>
  );
}

function Chart({ userId, series, title, color, pointsOf, figure }: ChartProps) {
  const { orgId, timeZone } = useCurrentOrg();
  const query = useQuery(personSeriesQuery(orgId, timeZone, userId, series));
  return (
    <section aria-labelledby={`chart-${series}`}>
      <Title order={3} fz={14} mb="xs" id={`chart-${series}`}>
        {title}
      </Title>
      {query.data !== undefined ? (
        <TimeBars title={title} points={pointsOf(query.data, timeZone)} height={HEIGHT} figure={figure} color={color} />
      ) : query.isError ? (
        <Text c="dimmed">{commonTexts.notAvailable}</Text>
      ) : (
        <Skeleton height={HEIGHT} />
      )}
    </section>
  );
}
