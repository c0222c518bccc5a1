/** /org/{orgId}/home: welcome, lifetime totals, popular content; then how the last 28 days went and what to do. */
import { Group, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { nameOf } from '~/features/profile/model.ts';
import { count, wholeMinutes } from '~/shared/lib/format.ts';
import { lazyPart } from '~/shared/lib/lazy-part.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Page } from '~/shared/ui/page.tsx';
import { Stat } from '~/shared/ui/stat.tsx';
import { ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { dashboardQuery } from '../api/dashboard-queries.ts';
import { RailSkeleton, TrendsSkeleton } from '../parts/insights-skeleton.tsx';
import { NothingWatched } from '../parts/nothing-watched.tsx';
import { PopularGrid, PopularSkeleton } from '../parts/popular-grid.tsx';
import { homeTexts } from '../texts.ts';
import classes from './home-page.module.css';

const Trends = lazyPart(() => import('../parts/insights.tsx'), 'Trends');
const Rail = lazyPart(() => import('../parts/insights.tsx'), 'Rail');

/** The insights load once the content is painted, so that they do not delay it. */
export function HomePage() {
  const { orgId, name } = useCurrentOrg();
  const profile = useQuery(profileQuery);
  const dashboard = useQuery(dashboardQuery(orgId));
  const first = dashboard.isPending && dashboard.errorUpdateCount === 0;
  const called = profile.data === undefined ? '' : profile.data.firstName.trim() || nameOf(profile.data);
  return (
    <Page title={homeTexts.welcome(called)} pending={profile.isPending} above={<Text c="dimmed">{name}</Text>}>
      <div className={classes.columns}>
        <div className={classes.main}>
          <Totals orgId={orgId} />
          <Popular orgId={orgId} />
          {first ? (
            <TrendsSkeleton />
          ) : (
            <Suspense fallback={<TrendsSkeleton />}>
              <Trends />
            </Suspense>
          )}
        </div>
        {first ? (
          <RailSkeleton />
        ) : (
          <Suspense fallback={<RailSkeleton />}>
            <Rail />
          </Suspense>
        )}
      </div>
    </Page>
  );
}

/** A total that failed to load shows N/A; an empty one shows 0. */
function Totals({ orgId }: { orgId: string }) {
  const dashboard = useQuery(dashboardQuery(orgId));
  const none = dashboard.isError ? commonTexts.notAvailable : undefined;
  const totals = dashboard.data?.totalStats;
  return (
    <SimpleGrid cols={2} spacing={{ base: 12, sm: 'md' }} mb="xl">
      <Stat
        label={homeTexts.contentViews}
        value={totals === undefined ? none : count(totals.views)}
        hint={homeTexts.allTime}
      />
      <Stat
        label={homeTexts.watchTime}
        value={totals === undefined ? none : commonTexts.minutes(wholeMinutes(totals.watchTimeMs))}
        hint={homeTexts.allTime}
      />
    </SimpleGrid>
  );
}

function Popular({ orgId }: { orgId: string }) {
  const dashboard = useQuery(dashboardQuery(orgId));
  const hasViews = dashboard.data === undefined ? !dashboard.isError : dashboard.data.popularContent.length > 0;
  return (
    <section aria-labelledby="popular">
      <Group justify="space-between" align="baseline" gap="xs" mb="md">
        <Title order={2} fz={18} id="popular">
          {homeTexts.popular}
        </Title>
        {hasViews && (
          <Text c="dimmed" fz="sm">
            {homeTexts.popularPeriod}
          </Text>
        )}
      </Group>
      {dashboard.data !== undefined ? (
        dashboard.data.popularContent.length === 0 ? (
          <NothingWatched key={orgId} before={dashboard.data.totalStats.views > 0} />
        ) : (
          <PopularGrid orgId={orgId} content={dashboard.data.popularContent} />
        )
      ) : dashboard.isError ? (
        <Surface>
          <ErrorState message={commonTexts.contentError} onRetry={() => void dashboard.refetch()} />
        </Surface>
      ) : (
        <PopularSkeleton />
      )}
    </section>
  );
}
