/** /org/{orgId}/home: welcome, lifetime totals, popular content. */
import { Button, SimpleGrid, Text, Title } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { profileQuery } from '~/features/profile/api/profile-queries.ts';
import { nameOf } from '~/features/profile/model.ts';
import { count, wholeMinutes } from '~/shared/lib/format.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Page } from '~/shared/ui/page.tsx';
import { Stat } from '~/shared/ui/stat.tsx';
import { EmptyState, ErrorState } from '~/shared/ui/state.tsx';
import { Surface } from '~/shared/ui/surface.tsx';
import { dashboardQuery } from '../api/analytics-queries.ts';
import { PopularGrid, PopularSkeleton } from '../parts/popular-grid.tsx';
import { analyticsTexts } from '../texts.ts';

/** A total that failed to load shows N/A; an empty one shows 0. */
export function HomePage() {
  const { orgId, name } = useCurrentOrg();
  const profile = useQuery(profileQuery);
  const dashboard = useQuery(dashboardQuery(orgId));
  const called = profile.data === undefined ? '' : profile.data.firstName.trim() || nameOf(profile.data);
  const none = dashboard.isError ? commonTexts.notAvailable : undefined;
  const totals = dashboard.data?.totalStats;
  return (
    <Page title={analyticsTexts.welcome(called)} above={<Text c="dimmed">{name}</Text>}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} mb="xl">
        <Stat
          label={analyticsTexts.contentViews}
          value={totals === undefined ? none : count(totals.views)}
          hint={analyticsTexts.allTime}
        />
        <Stat
          label={analyticsTexts.watchTime}
          value={totals === undefined ? none : analyticsTexts.minutes(wholeMinutes(totals.watchTimeMs))}
          hint={analyticsTexts.allTime}
        />
      </SimpleGrid>
      <Title order={2} fz={18} mb="md">
        {analyticsTexts.popular}
      </Title>
      {dashboard.isError ? (
        <Surface>
          <ErrorState message={analyticsTexts.contentError} onRetry={() => void dashboard.refetch()} />
        </Surface>
      ) : dashboard.data === undefined ? (
        <PopularSkeleton />
      ) : dashboard.data.popularContent.length === 0 ? (
        <Surface>
          <EmptyState
            icon={IconPlayerPlay}
            title={analyticsTexts.nothingWatched}
            hint={analyticsTexts.nothingWatchedHint}
            action={
              <Button component={Link} to={`/org/${orgId}/playlists`} variant="default">
                {analyticsTexts.toContent}
              </Button>
            }
          />
        </Surface>
      ) : (
        <PopularGrid content={dashboard.data.popularContent} />
      )}
    </Page>
  );
}
