/** /org/{orgId}/analytics: the organisation's numbers over a range. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { OverviewOut } from '@vitrine/api';
import { useCurrentOrg } from '~/features/orgs/current-org.tsx';
import { count, exactMinutes, percent } from '~/shared/lib/format.ts';
import { useKept } from '~/shared/lib/kept.ts';
import { commonTexts } from '~/shared/lib/texts.ts';
import { Outdated } from '~/shared/ui/outdated.tsx';
import { Page } from '~/shared/ui/page.tsx';
import { overviewQuery } from '../api/analytics-queries.ts';
import { changeOf } from '../change.ts';
import { olderFigures } from '../older.ts';
import { HoursGrid } from '../parts/hours-grid.tsx';
import { LimitedNotice } from '../parts/limited-notice.tsx';
import { LoadNotice } from '../parts/load-notice.tsx';
import { RangeSelect } from '../parts/range-select.tsx';
import { RankList } from '../parts/rank-list.tsx';
import classes from '../parts/report.module.css';
import { Section } from '../parts/section.tsx';
import { TrendTile } from '../parts/trend-tile.tsx';
import { Verdicts } from '../parts/verdicts.tsx';
import { WatchTime } from '../parts/watch-time.tsx';
import { rangeOf } from '../ranges.ts';
import { analyticsTexts } from '../texts.ts';

export function AnalyticsPage() {
  const { orgId, timeZone } = useCurrentOrg();
  const range = rangeOf(useSearch({ from: '/private/shell/org/$orgId/analytics' }).range);
  const navigate = useNavigate({ from: '/org/$orgId/analytics' });
  const query = useQuery(overviewQuery(orgId, timeZone, range));
  const kept = useKept(query.data, range);
  const older = olderFigures(kept?.tag, range);
  const overview = kept?.value;
  const outdated = query.isFetching && older !== undefined;
  const nothing = overview === undefined && query.isError;
  const page = (kind: 'content' | 'playlists') => (id: string) => `/org/${orgId}/analytics/${kind}/${id}`;
  return (
    <Page
      title={analyticsTexts.reports}
      actions={
        <RangeSelect
          value={range}
          onChange={(value) => void navigate({ search: value === null ? {} : { range: value }, replace: true })}
        />
      }
    >
      <LimitedNotice answers={[overview]} timeZone={timeZone} />
      <LoadNotice query={query} older={older} />
      <Outdated when={outdated}>
        <Tiles overview={overview} failed={nothing} />
      </Outdated>
      <WatchTime range={range} />
      {!nothing && (
        <Outdated when={outdated}>
          <div className={classes.pairs}>
            <Section title={analyticsTexts.topContent}>
              <RankList label={analyticsTexts.topContent} rows={overview?.topContent} linkTo={page('content')} />
            </Section>
            <Section title={analyticsTexts.topPlaylists}>
              <RankList label={analyticsTexts.topPlaylists} rows={overview?.topPlaylists} linkTo={page('playlists')} />
            </Section>
          </div>
        </Outdated>
      )}
      <div className={`${classes.pairs} ${classes.uneven}`}>
        {!nothing && (
          <Section title={analyticsTexts.hours} zone={timeZone} zoneSince={overview?.timeZoneSince}>
            <Outdated when={outdated}>
              <HoursGrid data={overview?.hours} />
            </Outdated>
          </Section>
        )}
        <Verdicts range={range} />
      </div>
    </Page>
  );
}

function Tiles({ overview, failed }: { overview: OverviewOut | undefined; failed: boolean }) {
  const { views = 0, watchTimeMs = 0, lateWatchTimeMs = 0 } = overview ?? {};
  const shown = (text: string) => (overview === undefined ? undefined : text);
  const change = (key: 'views' | 'watchTimeMs') =>
    overview && changeOf(overview[key], overview.previous[key], analyticsTexts.before, overview.previousLimitedFrom);
  return (
    <div className={classes.tiles}>
      <TrendTile
        label={analyticsTexts.viewsTile}
        value={shown(count(views))}
        note={change('views')}
        days={overview?.days.map((day) => day.views)}
        color="purple"
        failed={failed}
        bars
      />
      <TrendTile
        label={analyticsTexts.watchTime}
        value={shown(commonTexts.minutes(exactMinutes(watchTimeMs)))}
        note={change('watchTimeMs')}
        days={overview?.days.map((day) => day.watchTimeMs)}
        failed={failed}
        bars
      />
      <TrendTile
        label={analyticsTexts.perView}
        value={shown(commonTexts.minutes(exactMinutes(views > 0 ? watchTimeMs / views : 0)))}
        note={analyticsTexts.perViewHint}
        failed={failed}
      />
      <TrendTile
        label={analyticsTexts.late}
        value={shown(percent(watchTimeMs > 0 ? lateWatchTimeMs / watchTimeMs : 0))}
        note={analyticsTexts.lateHint}
        failed={failed}
      />
    </div>
  );
}
